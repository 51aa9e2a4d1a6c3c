/**
 * Makes a readable line of one of pino's JSON lines. Our own, not pino-pretty: that package takes 20 to 35 ms to load, more than pino itself,
 * for options that nobody sets here.
 */
export function prettyLine(json: string, colour: boolean): string {
  const { level, time, msg, component, stack, ...fields } = JSON.parse(json) as Entry;
  const paint = colour ? (COLOURS[level] ?? plain) : plain;
  const head = `${time.slice(11, 19)} ${paint(level.toUpperCase().padEnd(5))}`;
  const from = component === undefined ? '' : ` ${component}:`;
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${shown(value)}`);
  const frames = (stack ?? []).map((frame) => `    ${frame}\n`);
  return `${head}${from} ${msg}${rest.join('')}\n${frames.join('')}`;
}

interface Entry {
  readonly level: string;
  /** ISO 8601. */
  readonly time: string;
  readonly msg: string;
  readonly component?: string;
  readonly stack?: readonly string[];
}

type Paint = (text: string) => string;

const plain: Paint = (text) => text;
const sgr =
  (code: number): Paint =>
  (text) =>
    `\u001b[${code}m${text}\u001b[0m`;
const COLOURS: Readonly<Record<string, Paint>> = {
  debug: sgr(90),
  info: sgr(32),
  warn: sgr(33),
  error: sgr(31),
};

function shown(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
