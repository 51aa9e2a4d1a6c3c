/**
 * The topic table: the one place that spells, builds and reads topics (spec: bus, "Topics"). A level `<name>` is a parameter.
 */
export interface TopicSpec {
  readonly levels: readonly string[];
  readonly qos: 0 | 1;
  readonly retained: boolean;
  readonly publisher: string;
  readonly payload: string;
}

function topic(path: string, qos: 0 | 1, retained: boolean, publisher: string, payload: string): TopicSpec {
  return { levels: path.split('/'), qos, retained, publisher, payload };
}

export const TOPICS = {
  hook: topic(
    'hook/<provider>',
    1,
    false,
    'hooks, any MQTT client, any script',
    "an agent's own hook JSON as it is, or `{event, session_id, cwd, ...}`, or `{signal, ...}`, or any of these in the sender's envelope",
  ),
  usage: topic('usage/<provider>', 1, false, 'usage taps, scripts', '`{windows: [...]}`'),
  signal: topic('signal/<provider>', 1, true, 'aggregator', "the provider's signal"),
  signalUsage: topic('signal/<provider>/usage', 1, true, 'usage service', 'quota windows'),
  signalEvent: topic('signal/<provider>/event', 1, false, 'aggregator', "one session's transition"),
  lamp: topic('lamp/<provider>', 1, true, 'aggregator', 'one bare word: a display state'),
  lampAll: topic(
    'lamp/all',
    1,
    true,
    'aggregator',
    'one bare word: the strongest display state of all providers',
  ),
  line: topic('line', 1, true, 'aggregator', 'one line of plain text, at most 64 bytes'),
  session: topic(
    'session/<provider>/<key>',
    1,
    true,
    'aggregator',
    'one session with its attentions; empty on removal',
  ),
  job: topic('job/<id>', 1, true, 'job host', 'one background session; empty on removal'),
  jobEndpoint: topic(
    'job/<id>/endpoint',
    1,
    true,
    'job host',
    "where to attach; the job host's will empties it",
  ),
  jobReply: topic('job/<id>/reply', 1, false, 'whoever may', '`{text, transaction}`'),
  deviceState: topic('device/<id>/state', 1, true, 'device', '`online` or `offline` (also its will)'),
  deviceInfo: topic('device/<id>/info', 1, true, 'device', 'board, firmware, IP, RSSI, heap, uptime'),
  deviceEvent: topic('device/<id>/event', 1, false, 'device', 'a button'),
  deviceSet: topic('device/<id>/set', 1, true, 'hub', 'brightness, night hours, theme'),
  hostState: topic(
    'host/<name>/state',
    1,
    true,
    'hub of that machine',
    '`online`, `offline` (also its will) or `goodbye`',
  ),
  evidence: topic(
    'evidence/<host>',
    1,
    false,
    'hub of that machine',
    "a second source's evidence about its own sessions",
  ),
  hubState: topic('signalbox/state', 1, true, 'hub', '`online` or `offline` (also its will)'),
  hubInfo: topic('signalbox/info', 1, true, 'hub', 'hub_id, version, providers, hosts, features'),
  hubHealth: topic('signalbox/health', 1, true, 'hub', 'counters, every 60 s'),
  reject: topic(
    'signalbox/reject',
    0,
    false,
    'aggregator',
    '`{provider, reason, code, at}`; never the payload',
  ),
  request: topic(
    'signalbox/request/<command>',
    1,
    false,
    'whoever may',
    '`{transaction, provider?, session?, minutes?, days?}`',
  ),
  response: topic('signalbox/response/<command>', 1, false, 'hub', '`{transaction, ok, data?, error?}`'),
} as const satisfies Record<string, TopicSpec>;

export type TopicName = keyof typeof TOPICS;
export type TopicParams = Readonly<Record<string, string>>;
/** What `parse` found: which row of the table, and its parameters. */
export interface ParsedTopic {
  readonly name: TopicName;
  readonly params: TopicParams;
}

export const TOPIC_NAMES = Object.keys(TOPICS) as readonly TopicName[];

/** Builds, reads and filters topics below one prefix. */
export interface Topics {
  readonly prefix: string;
  /** The topic of a row. Throws a `RangeError` when a parameter is missing or no single plain level: that is our own bug. */
  build(name: TopicName, params?: TopicParams): string;
  /** A filter for a row, `+` for every parameter not given. */
  filter(name: TopicName, params?: TopicParams): string;
  /** The row and parameters of a topic; `undefined` for what isn't ours. An exact level wins over a parameter (`lamp/all`). */
  parse(topic: string): ParsedTopic | undefined;
  /** Puts the prefix in front of a filter that a role names without it. */
  under(filter: string): string;
}

const PARAMETER = /^<(.+)>$/;
const PLAIN_LEVEL = /^[^/+#\0]+$/;

/** Creates the topics of one bus. @param prefix levels in front of all topics, none by default, e.g. `team/alice` */
export function createTopics(prefix = ''): Topics {
  const head = prefix === '' ? [] : prefix.split('/');
  if (head.some((level) => !PLAIN_LEVEL.test(level) || level.startsWith('$'))) {
    throw new RangeError(`not a topic prefix: ${prefix}`);
  }

  function levels(name: TopicName, params: TopicParams, missing: (parameter: string) => string): string {
    const own = TOPICS[name].levels.map((level) => {
      const parameter = PARAMETER.exec(level)?.[1];
      if (parameter === undefined) return level;
      const value = params[parameter];
      if (value === undefined) return missing(parameter);
      if (!PLAIN_LEVEL.test(value)) throw new RangeError(`not a topic level: ${parameter}`);
      return value;
    });
    return [...head, ...own].join('/');
  }

  return {
    prefix,
    build: (name, params = {}) =>
      levels(name, params, (parameter) => {
        throw new RangeError(`topic ${name} needs ${parameter}`);
      }),
    filter: (name, params = {}) => levels(name, params, () => '+'),
    under: (filter) => [...head, filter].join('/'),
    parse(text) {
      const given = text.split('/');
      if (head.some((level, index) => given[index] !== level)) return undefined;
      return parseOwn(given.slice(head.length));
    },
  };
}

/** Rows by number of levels and first level, compiled once: every publish on the bus is parsed. */
const ROWS = new Map<string, { name: TopicName; levels: readonly (string | { parameter: string })[] }[]>();
for (const name of TOPIC_NAMES) {
  const levels = TOPICS[name].levels.map((level) => {
    const parameter = PARAMETER.exec(level)?.[1];
    return parameter === undefined ? level : { parameter };
  });
  const key = `${levels.length} ${TOPICS[name].levels[0]}`;
  const rows = ROWS.get(key) ?? [];
  rows.push({ name, levels });
  // Fewest parameters first, so that `lamp/all` is never the lamp of a provider called "all".
  rows.sort((a, b) => parameterCount(a.levels) - parameterCount(b.levels));
  ROWS.set(key, rows);
}

function parameterCount(levels: readonly unknown[]): number {
  return levels.filter((level) => typeof level === 'object').length;
}

function parseOwn(given: readonly string[]): ParsedTopic | undefined {
  for (const row of ROWS.get(`${given.length} ${given[0]}`) ?? []) {
    const params = match(row.levels, given);
    if (params !== undefined) return { name: row.name, params };
  }
  return undefined;
}

function match(
  levels: readonly (string | { parameter: string })[],
  given: readonly string[],
): TopicParams | undefined {
  const params: Record<string, string> = {};
  for (const [index, level] of levels.entries()) {
    // As many levels as the row has: the rows are found by their number.
    const value = given[index] as string;
    if (typeof level === 'string') {
      if (level !== value) return undefined;
    } else if (PLAIN_LEVEL.test(value)) {
      params[level.parameter] = value;
    } else return undefined;
  }
  return params;
}
