import { parse } from 'smol-toml';
import { notify } from './notify.ts';

/** Where messages go to the phone. */
export interface NotifyTarget {
  /** Base address of the ntfy server. */
  readonly server: string;
  readonly topic: string;
}

/** The server that is meant where none is named. */
export const PUBLIC_NTFY = notify.parse({}).server;
/** The topic that is meant where none is named: everybody knows it. */
export const SHARED_TOPIC = notify.parse({}).topic;

/** What is wrong with an address of an ntfy server, as the settings see it; undefined: nothing. */
export function serverFault(text: string): string | undefined {
  return notify.shape.server.safeParse(text).error?.issues[0]?.message;
}

/** What is wrong with a topic, as the settings see it; undefined: nothing. */
export function topicFault(text: string): string | undefined {
  return notify.shape.topic.safeParse(text).error?.issues[0]?.message;
}

/** Do these settings say anything of messages to the phone? Throws the parser's error. @param text of config.toml */
export function hasNotify(text: string): boolean {
  return Object.hasOwn(parse(text), 'notify');
}

/**
 * Adds `[notify]` at the end of settings that have none; everything else stays as it is, byte for byte. A table at the end is right in any TOML file.
 * @param text of config.toml; empty for a file that is not there
 */
export function withNotify(text: string, { server, topic }: NotifyTarget): string {
  const end = /\r?\n/.exec(text)?.[0] ?? '\n';
  const lines = [
    '# Messages to the phone. Whoever knows the topic can read along.',
    '[notify]',
    'enabled = true',
    ...(server === PUBLIC_NTFY ? [] : [`server = ${JSON.stringify(server)}`]),
    `topic = ${JSON.stringify(topic)}`,
  ];
  const before = text === '' || text.endsWith('\n') ? text : `${text}${end}`;
  const gap = text === '' ? '' : end;
  return `${before}${gap}${lines.join(end)}${end}`;
}
