import type { Topics } from './topics.ts';

/** What a client may be on the bus (spec: bus, "Roles"). */
export type Role =
  | 'hook'
  | 'viewer'
  | 'operator'
  | 'device'
  | 'homeassistant'
  | 'lamp'
  | 'jobhost'
  | 'host'
  | 'hub';

/** Filters without the prefix; `<id>` stands for the identity's own name. A leading `!` takes a topic out again. */
interface RoleRights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

const VIEW = [
  'signal/#',
  'lamp/#',
  'line',
  'session/#',
  'job/+',
  'signalbox/#',
  'device/#',
  'host/#',
] as const;
const DISPLAY = ['signal/#', 'lamp/#', 'line'] as const;

export const ROLES: Readonly<Record<Role, RoleRights>> = {
  hook: { publish: ['hook/+', 'usage/+'], subscribe: [] },
  viewer: { publish: [], subscribe: VIEW },
  operator: { publish: ['signalbox/request/+', 'job/+/reply'], subscribe: VIEW },
  device: {
    publish: ['device/<id>/#', '!device/<id>/set'],
    subscribe: [...DISPLAY, 'signalbox/state', 'device/<id>/set'],
  },
  homeassistant: {
    publish: ['signalbox/request/+', 'homeassistant/status'],
    subscribe: ['homeassistant/#', ...DISPLAY, 'signalbox/#', 'device/#'],
  },
  // A lamp's topics are what its entry in the settings names; the identity carries them.
  lamp: { publish: [], subscribe: [] },
  jobhost: { publish: ['job/+', 'job/+/endpoint'], subscribe: ['job/+/reply', 'session/#'] },
  host: {
    publish: ['hook/+', 'usage/+', 'evidence/<id>', 'host/<id>/state'],
    subscribe: ['signal/#', 'session/#', 'signalbox/#'],
  },
  hub: { publish: ['#'], subscribe: ['#'] },
};

/** Who a connection is. Its rights are the union of its roles'. */
export interface Identity {
  readonly roles: readonly Role[];
  /** The device id, host name or lamp name that `<id>` stands for. */
  readonly id?: string;
  /** Topics of a `lamp` role, to publish and to subscribe. */
  readonly topics?: readonly string[];
}

/** True when `filter` covers `topic` by MQTT's rules; a filter that starts with a wildcard never covers a `$` topic [MQTT-4.7.2-1]. */
export function matches(filter: string, topic: string): boolean {
  if (topic.startsWith('$') && !filter.startsWith('$')) return false;
  return covers(filter.split('/'), topic.split('/'));
}

/** True when every topic that `inner` (a filter) covers is covered by `outer` too. */
export function coversFilter(outer: string, inner: string): boolean {
  if (inner.startsWith('$') && !outer.startsWith('$')) return false;
  return covers(outer.split('/'), inner.split('/'));
}

function covers(outer: readonly string[], inner: readonly string[]): boolean {
  for (const [index, level] of outer.entries()) {
    if (level === '#') return true;
    const other = inner[index];
    if (other === undefined || other === '#') return false;
    if (level !== '+' && level !== other) return false;
  }
  return outer.length === inner.length;
}

const PLAIN_LEVEL = /^[^/+#\0]+$/;

function rights(
  topics: Topics,
  identity: Identity,
  kind: keyof RoleRights,
): { allow: string[]; deny: string[] } {
  const allow: string[] = [];
  const deny: string[] = [];
  for (const role of identity.roles) {
    for (const entry of role === 'lamp' ? (identity.topics ?? []) : ROLES[role][kind]) {
      // An identity without a name, or with one that is no plain level, owns no topic.
      if (entry.includes('<id>') && !PLAIN_LEVEL.test(identity.id ?? '')) continue;
      const denied = entry.startsWith('!');
      const filter = (denied ? entry.slice(1) : entry)
        .split('/')
        .map((level) => (level === '<id>' ? identity.id : level));
      // The hub's `#` is all of the bus, not all of the broker's prefix alone: it also serves Home Assistant's own topics.
      const full =
        role === 'hub' || role === 'lamp' || filter[0] === 'homeassistant'
          ? filter.join('/')
          : topics.under(filter.join('/'));
      (denied ? deny : allow).push(full);
    }
  }
  return { allow, deny };
}

/** May this identity publish to this topic? */
export function mayPublish(topics: Topics, identity: Identity, topic: string): boolean {
  const { allow, deny } = rights(topics, identity, 'publish');
  return allow.some((filter) => matches(filter, topic)) && !deny.some((filter) => matches(filter, topic));
}

/** May this identity be given a message on this topic? Checked at delivery too, for retained messages. */
export function mayReceive(topics: Topics, identity: Identity, topic: string): boolean {
  return rights(topics, identity, 'subscribe').allow.some((filter) => matches(filter, topic));
}

/**
 * May this identity hold this subscription? `all`: everything it covers may be seen. `some`: it covers more than may be seen, so delivery has
 * to be checked message by message. `none`: nothing it covers may be seen.
 */
export function maySubscribe(topics: Topics, identity: Identity, filter: string): 'all' | 'some' | 'none' {
  const { allow } = rights(topics, identity, 'subscribe');
  if (allow.some((own) => coversFilter(own, filter))) return 'all';
  return allow.some((own) => overlaps(own, filter)) ? 'some' : 'none';
}

/** Is there a topic that both filters cover? */
function overlaps(a: string, b: string): boolean {
  return a.startsWith('$') === b.startsWith('$') && overlap(a.split('/'), b.split('/'));
}

function overlap(left: readonly string[], right: readonly string[]): boolean {
  for (let index = 0; ; index += 1) {
    const a = left[index];
    const b = right[index];
    if (a === '#' || b === '#') return true;
    if (a === undefined || b === undefined) return a === b;
    if (a !== '+' && b !== '+' && a !== b) return false;
  }
}
