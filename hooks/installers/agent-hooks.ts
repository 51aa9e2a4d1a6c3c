import type { Hook, HookFileForm } from './hook-file.ts';
import type { PluginForm } from './plugin-file.ts';
import { posixLine, windowsLine } from './shell-lines.ts';

/** The machine as an installer sees it. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
}

/** The sender as an agent is to call it. Constant across upgrades: Codex trusts a hook by the hash of its text. */
export interface SenderCommand {
  /** A program and the arguments that go before the agent's slug, for agents that run it without a shell. */
  readonly program: readonly [string, ...string[]];
  readonly platform: NodeJS.Platform;
}

/** An agent that something of ours is put into. */
interface AgentPlace {
  /** The agent's slug. */
  readonly provider: string;
  /** The program that tells its version, where what it can do hangs on that and it tells it at once. */
  readonly program?: string;
  /** Folders in which its own installer puts that program, for a PATH without it. */
  readonly programFolders?: (machine: Machine) => readonly string[];
  /** Its folder of settings: where there is none, the agent is not here. */
  readonly folder: (machine: Machine) => string;
  /** Folders beside it in which the agent writes while it is used, where it writes nothing there. */
  readonly traces?: (machine: Machine) => readonly string[];
  /** The file that holds its hooks. */
  readonly file: (machine: Machine) => string;
  /** What the user has to do before they run; a sentence. */
  readonly afterwards?: string;
  /** What no hook of it tells, in a few words each. */
  readonly invisible: readonly string[];
}

/** What Signalbox puts into one agent's settings. */
export interface AgentHooks extends AgentPlace {
  readonly form: HookFileForm;
  /** The hooks that we want. @param version of the agent, e.g. `2.1.332`; undefined when it can't be told */
  readonly hooks: (sender: SenderCommand, version: string | undefined) => readonly Hook[];
}

/** A program of ours that an agent runs inside itself: a file that is ours whole. */
export interface AgentPlugin extends AgentPlace {
  readonly plugin: PluginForm;
}

/** The one program that Codex runs when a turn is over, in its TOML. */
export interface AgentNotify extends AgentPlace {
  /** What our record of it is called, beside that of the agent's hooks. */
  readonly record: string;
  /** The one event that it tells. */
  readonly event: string;
}

export type Agent = AgentHooks | AgentPlugin | AgentNotify;

/** The sender with these arguments as one line for the shell in which agents run their hooks. */
export function senderLine({ program, platform }: SenderCommand, ...words: readonly string[]): string {
  return (platform === 'win32' ? windowsLine : posixLine)([...program, ...words]);
}

/** Is a version known to be at least this one? Both as numbers with dots; what is not known is not. */
export function isAtLeast(version: string | undefined, wanted: string): boolean {
  if (version === undefined) return false;
  const [has, wants] = [version, wanted].map((text) => text.split('.').map(Number));
  for (const [index, need] of (wants ?? []).entries()) {
    const part = has?.[index] ?? 0;
    if (part !== need) return part > need;
  }
  return true;
}
