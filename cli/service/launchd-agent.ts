import { SignalboxError } from '../../protocol/errors.ts';
import { SERVICE_NAME } from './manager.ts';
import { MARK, type ServiceParts } from './service-file.ts';

/** The hub as a launchd agent: a property list that starts it at login, and again when it fails (launchd.plist(5)). */
export function launchdAgent({ words, variables, log }: ServiceParts): string {
  const environment =
    variables.length === 0
      ? []
      : [
          '  <key>EnvironmentVariables</key>',
          '  <dict>',
          ...variables.flatMap(([name, value]) => [`    <key>${name}</key>`, `    ${string(value)}`]),
          '  </dict>',
        ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${MARK} "signalbox service uninstall" takes it away. -->`,
    '<plist version="1.0">',
    '<dict>',
    '  <key>Label</key>',
    `  ${string(SERVICE_NAME)}`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...words.map((word) => `    ${string(word)}`),
    '  </array>',
    ...environment,
    // Without them launchd throws away what the hub says.
    ...['StandardOutPath', 'StandardErrorPath'].flatMap((key) => [`  <key>${key}</key>`, `  ${string(log)}`]),
    '  <key>RunAtLoad</key>',
    '  <true/>',
    '  <key>KeepAlive</key>',
    '  <dict>',
    '    <key>SuccessfulExit</key>',
    '    <false/>',
    '  </dict>',
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

/** @throws SignalboxError `folder_unusable` for a character that XML 1.0 has no way to write (section 2.2) */
function string(text: string): string {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) {
    const reason = 'a property list has no way to write this name';
    throw new SignalboxError('folder_unusable', { path: text, reason });
  }
  return `<string>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`;
}

/** The part that says where the hub's folders are: two agents with the same one run the same hub. */
export function agentFolders(text: string): string {
  return /<key>EnvironmentVariables<\/key>.*?<\/dict>/s.exec(text)?.[0] ?? '';
}
