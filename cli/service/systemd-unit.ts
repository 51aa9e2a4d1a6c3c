import { MARK, type ServiceParts } from './service-file.ts';

/** What systemd takes as the path of a program: it allows no quote and no backslash in one, and expands no `$$` (systemd.service, "COMMAND LINES"). */
const PLAIN_PROGRAM = /^[^\s"'\\$%]+$/;

/** Starts a program whose path systemd would not take; its process becomes the program's. */
const THROUGH_SHELL = ['/bin/sh', '-c', 'exec "$@"', 'sh'];

/** The hub as a systemd user unit. */
export function systemdUnit({ words, variables }: Omit<ServiceParts, 'log'>): string {
  const [program = ''] = words;
  const line = PLAIN_PROGRAM.test(program)
    ? [program, ...words.slice(1).map(argument)]
    : ['/bin/sh', ...[...THROUGH_SHELL.slice(1), ...words].map(argument)];
  return [
    `# ${MARK} "signalbox service uninstall" takes it away.`,
    '[Unit]',
    'Description=Signalbox, which tells which coding agent needs you',
    '',
    '[Service]',
    `ExecStart=${line.join(' ')}`,
    ...variables.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    'Restart=on-failure',
    'RestartSec=5',
    '# Wrong settings do not mend themselves.',
    'RestartPreventExitStatus=2',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** An argument of ExecStart, where a dollar begins a variable. */
function argument(text: string): string {
  return quoted(text).replaceAll('$', '$$$$');
}

/** A word in systemd's quotes: C escapes, and `%` begins a specifier (systemd.syntax, "QUOTING"; systemd.unit, "SPECIFIERS"). */
function quoted(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('%', '%%')
    .replace(
      /[\u0001-\u001f\u007f]/g,
      (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
  return `"${escaped}"`;
}

/** The lines that say where the hub's folders are: two units with the same ones run the same hub. */
export function unitFolders(text: string): string {
  return (text.match(/^Environment="(?:SIGNALBOX_HOME|XDG_\w+_HOME)=.*$/gm) ?? []).join('\n');
}
