import { type ConfigKey, configKeys } from './keys.ts';
import { SECRETS } from './secrets.ts';

const INTRODUCTION = `# Configuration

<!-- Generated from the schema in runtime/config/. -->

Settings are read once at the start. A flag goes before a variable, a variable before the file, the file before the default.
\`signalbox config\` prints what is in force and where each value came from.

The file is \`config.toml\`, in the platform's folder for settings:

| system | file |
|---|---|
| Linux | \`~/.config/signalbox/config.toml\` (or below \`$XDG_CONFIG_HOME\`) |
| macOS | \`~/Library/Application Support/signalbox/config.toml\` |
| Windows | \`%APPDATA%\\signalbox\\config.toml\` |

\`SIGNALBOX_HOME\` puts this file and all state into one folder. An unknown key in the file is an error that names the nearest known
one; an unknown \`SIGNALBOX_*\` variable is a warning. A variable that is empty counts as not set; a list is written with commas.

A password in a URL is refused, because it would show in process lists and logs. A password or token belongs into the file that its setting
names, or into its variable: ${SECRETS.map(({ variable, fileKey }) => `\`${variable}\` or \`${fileKey}\``).join(', ')}.
\`AGENT_SIGNAL_LIGHT_COMPLETED_TTL_SECONDS\` is another name for
\`SIGNALBOX_STATE_TIMEOUTS_COMPLETED\`.

Times are in seconds where nothing else is said; 0 means at once.
`;

/** The text of docs/configuration.md: every setting with default, variable and meaning. */
export function configurationReference(): string {
  const sections = [...new Set(configKeys().map(sectionOf))];
  const parts = sections.map((section) => {
    const keys = configKeys().filter((key) => sectionOf(key) === section);
    const title = section === '' ? '## General' : `## \`[${section}]\``;
    return `${title}\n\n${keys.map(describe).join('\n')}`;
  });
  return `${INTRODUCTION}\n${parts.join('\n')}`;
}

/** `providers` is a table of tables, with a section of its own. */
function sectionOf({ key, path, kind }: ConfigKey): string {
  return kind === 'table' && path.length === 1 ? key : path.slice(0, -1).join('.');
}

function describe(key: ConfigKey): string {
  const variable = key.variable === undefined ? 'file only' : `\`${key.variable}\``;
  const facts = [key.takes, `default \`${toml(key.default)}\``, variable].join('; ');
  return `- **\`${key.path.at(-1)}\`**: ${key.description}  \n  ${facts}\n`;
}

function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  return JSON.stringify(value);
}
