import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** A stand-in for the `systemctl --user` of a session, which a test run does not have. */
export interface SystemdStandIn {
  /** What finds it as `systemctl`. */
  readonly env: Readonly<Record<string, string>>;
  /** What it was asked, in order, without what changes nothing. */
  calls(): string[];
  /** From here on it answers as where no session's manager is. */
  leave(): void;
  /** The process that it runs. */
  pid(): number | undefined;
}

/**
 * It records what it is asked, makes and removes the links that systemd makes, and really runs the unit: the words of ExecStart and Environment as a shell reads them, which
 * is as systemd does while no path holds a dollar or a percent sign. What systemd itself thinks of a unit, `verifyUnit` asks.
 */
export function standInForSystemd(home: string): SystemdStandIn {
  const folder = temporaryFolder();
  const units = join(home, '.config/systemd/user');
  const at = (name: string): string => join(folder, name);
  const program = at('systemctl');
  writeFileSync(
    program,
    `#!/bin/sh
state='${folder}'
units='${units}'
unit="$units/signalbox.service"
link="$units/default.target.wants/signalbox.service"
alive() {
  pid=$(cat "$state/pid" 2>/dev/null) || return 1
  # Nobody may be there to collect it once it has ended.
  case $(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null) in ''|Z*) return 1 ;; esac
}
stop() {
  alive || return 0
  kill "$pid"
  while alive; do sleep 0.02; done
}
[ -e "$state/left" ] && { echo 'Failed to connect to bus' >&2; exit 1; }
[ "$1" = --user ] || exit 64
shift
echo "$*" >> "$state/calls"
case $1 in
  show-environment | daemon-reload | reset-failed) ;;
  is-enabled) [ -L "$link" ] ;;
  is-active) alive ;;
  enable) mkdir -p "$units/default.target.wants" && ln -sf "$unit" "$link" ;;
  disable) rm -f "$link" && stop ;;
  restart)
    stop
    eval "set -- $(sed -n 's/^Environment=//p' "$unit" | tr '\\n' ' ') $(sed -n 's/^ExecStart=//p' "$unit")"
    env -i "HOME=$HOME" "PATH=$PATH" SIGNALBOX_BROKER_PORT=0 SIGNALBOX_HTTP_PORT=0 "$@" \\
      < /dev/null > "$state/log" 2>&1 &
    echo $! > "$state/pid"
    ;;
  *) exit 64 ;;
esac
`,
  );
  chmodSync(program, 0o755);
  const pid = (): number | undefined =>
    existsSync(at('pid')) ? Number(readFileSync(at('pid'), 'utf8')) : undefined;
  onTestFinished(() => {
    const running = pid();
    if (running === undefined) return;
    try {
      process.kill(running, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  const asks = /^(?:show-environment|is-\w+)/;
  return {
    env: { PATH: `${folder}:${process.env['PATH']}`, SIGNALBOX_HOME: '' },
    pid,
    calls: () =>
      existsSync(at('calls'))
        ? readFileSync(at('calls'), 'utf8')
            .split('\n')
            .filter((line) => line !== '' && !asks.test(line))
        : [],
    leave: () => writeFileSync(at('left'), ''),
  };
}

/** What systemd itself complains of in a unit; it needs no session for that. */
export async function verifyUnit(text: string): Promise<string> {
  const folder = temporaryFolder();
  const unit = join(folder, 'signalbox.service');
  writeFileSync(unit, text);
  const runtime = join(folder, 'run');
  mkdirSync(runtime);
  const env = { PATH: process.env['PATH'], XDG_RUNTIME_DIR: runtime, HOME: folder };
  try {
    const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--user', unit], { env });
    return stderr;
  } catch (error) {
    return (error as { stderr?: string }).stderr || String(error);
  }
}
