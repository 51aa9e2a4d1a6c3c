import type { ReadStream, WriteStream } from 'node:tty';

/** What the surroundings of a command are. Made once in main.ts and handed down; no command asks `process` for any of it. */
export interface CommandContext {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  /** The working folder. */
  readonly cwd: string;
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
  /** Aborted when the command is to end: Ctrl-C, SIGTERM, or a reader that went away. Made on first use, so that a command may take signals itself. */
  readonly ending: () => AbortSignal;
}
