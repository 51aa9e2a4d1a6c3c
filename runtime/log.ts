import { type Logger, pino } from 'pino';
import { SignalboxError } from '../protocol/errors.ts';
import type { Clock } from './clock.ts';
import { prettyLine } from './log-line.ts';
import { redactUrl } from './mqtt-url.ts';
import { plainText } from './plain-text.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** All that a log line may carry beside its message. No payload, prompt, command or project name has a field, so none gets into a log. */
export const LOG_FIELDS = [
  'component',
  'code',
  'reason',
  'provider',
  'session',
  'job',
  'device',
  'hub',
  'client',
  'role',
  'topic',
  'host',
  'port',
  'url',
  'path',
  'key',
  'pid',
  'version',
  'state',
  'event',
  'count',
  'bytes',
  'ms',
] as const;

export type LogFields = {
  readonly [Field in (typeof LOG_FIELDS)[number]]?: string | number | boolean | undefined;
} & {
  /** Whatever was thrown: its code and message are logged, for a fault of ours its stack too. */
  readonly error?: unknown;
};

/** A log. Messages are sentences of ours; what comes from outside goes into a field. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log whose lines all carry these fields. */
  child(fields: LogFields): Log;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** `auto`: readable lines on a terminal, JSON otherwise. */
  readonly format: 'auto' | 'pretty' | 'json';
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean };
  /** Colours for readable lines; none by default. */
  readonly colour?: boolean;
  readonly clock?: Pick<Clock, 'now'>;
}

/** Creates a log that writes one line an entry to `stream`, at once. */
export function createLog({
  level,
  format,
  stream,
  colour = false,
  clock = { now: Date.now },
}: LogOptions): Log {
  const pretty = format === 'pretty' || (format === 'auto' && stream.isTTY === true);
  const write = pretty
    ? (line: string) => stream.write(prettyLine(line, colour))
    : (line: string) => stream.write(line);
  const logger: Logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return wrap(logger);
}

function wrap(logger: Logger): Log {
  function at(level: 'debug' | 'info' | 'warn' | 'error') {
    return (message: string, fields: LogFields = {}): void => {
      if (logger.isLevelEnabled(level)) logger[level](allowed(fields), plainText(message));
    };
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => wrap(logger.child(allowed(fields))),
  };
}

function allowed(fields: LogFields): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of LOG_FIELDS) {
    const value = fields[field];
    if (typeof value === 'number' || typeof value === 'boolean') out[field] = value;
    else if (typeof value === 'string') out[field] = plainText(field === 'url' ? redactUrl(value) : value);
  }
  if (fields.error !== undefined) Object.assign(out, describeError(fields.error));
  return out;
}

function describeError(error: unknown): Record<string, unknown> {
  if (error instanceof SignalboxError) return { code: error.code, error: plainText(error.message) };
  if (!(error instanceof Error)) return { error: plainText(typeof error) };
  const code = (error as NodeJS.ErrnoException).code;
  return {
    ...(typeof code === 'string' ? { code: plainText(code) } : {}),
    // V8 puts the beginning of the text into the error of JSON.parse, and that text is somebody's payload.
    error: error instanceof SyntaxError ? 'SyntaxError' : plainText(error.message),
    stack: frames(error),
  };
}

/** Where it happened, without the message that V8 repeats in front of the frames. */
function frames(error: Error): readonly string[] {
  const lines = (error.stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith('at ')).map((line) => plainText(line));
}
