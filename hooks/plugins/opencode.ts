import { randomUUID } from 'node:crypto';
import { createForwarder } from './forwarder.ts';
import { type Fields, fieldsOf, remember, texts } from './picking.ts';

/** What OpenCode tells of its sessions' states; its messages and their parts are left out. */
const EVENTS: ReadonlySet<unknown> = new Set([
  'session.created',
  'session.deleted',
  'session.status',
  'session.idle',
  'session.error',
  'permission.asked',
  'permission.v2.asked',
  'permission.updated',
  'permission.replied',
  'permission.v2.replied',
  'question.asked',
  'question.v2.asked',
  'question.replied',
  'question.v2.replied',
  'question.rejected',
  'question.v2.rejected',
]);

/** The properties that are sent: ids and single words. A session's title is made of its prompt, a tool's input is code: neither leaves the process. */
const PROPERTIES = [
  'id',
  'sessionID',
  'requestID',
  'permissionID',
  'callID',
  'permission',
  'action',
  'type',
  'reply',
  'response',
];

/** What stands below a property, and of that the fields that are sent. */
const NESTED: readonly (readonly [property: string, fields: readonly string[]])[] = [
  ['info', ['id', 'parentID', 'directory']],
  ['status', ['type']],
  ['error', ['name']],
  ['tool', ['callID']],
  ['source', ['callID']],
];

const { forward, flush } = createForwarder('opencode');

/** Where each session belongs, as its own events tell: whoever hears a single event of a child knows it for one. */
const sessions = new Map<string, Fields>();

/** OpenCode's plugin (vendor's plugin reference): called for every event of the client, and for its hooks. */
export const Signalbox = async (input: unknown) => {
  const { directory } = texts(input, ['directory']);
  const placeOf = (id: string | undefined): Fields => ({
    ...(directory !== undefined && { directory }),
    ...(id === undefined ? undefined : sessions.get(id)),
  });
  const hook = (name: string) =>
    quietly((call) => {
      // A hook has no id, and two calls may have the same words: a turn's second prompt is one of its own.
      const picked = texts(call, ['sessionID', 'tool', 'callID']);
      forward({ id: randomUUID(), ...picked, ...placeOf(picked['sessionID']) }, name);
    });
  return {
    event: quietly((told) => {
      const event = fieldsOf(fieldsOf(told)['event']);
      const properties = fieldsOf(event['properties']);
      const { id, type } = texts(event, ['id', 'type']);
      const own = texts(properties, PROPERTIES);
      const { id: of, ...place } = type?.startsWith('session.')
        ? texts(properties['info'], ['id', 'parentID', 'directory'])
        : {};
      if (of !== undefined) remember(sessions, of, place);
      if (!EVENTS.has(type)) return;
      for (const [property, fields] of NESTED) {
        const picked = texts(properties[property], fields);
        if (Object.keys(picked).length > 0) Object.assign(own, { [property]: picked });
      }
      forward({ id, type, properties: own, ...placeOf(own['sessionID'] ?? of) });
    }),
    'chat.message': hook('chat.message'),
    'tool.execute.before': hook('tool.execute.before'),
    'tool.execute.after': hook('tool.execute.after'),
    /** The client ends, or lets go of the folder, and waits for it (1.15.13; an older one knows no such hook). */
    dispose: flush,
  };
};

/** A handler that never fails, whatever the client's fields do when they are read: OpenCode waits for it. */
function quietly(handler: (told: unknown) => void): (told: unknown) => Promise<void> {
  return async (told) => {
    try {
      handler(told);
    } catch {
      // What can't be read is not told.
    }
  };
}
