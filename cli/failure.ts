import { type ErrorCode, SignalboxError } from '../protocol/errors.ts';
import { plainText } from '../runtime/plain-text.ts';
import type { CommandContext } from './context.ts';
import { hasColour } from './terminal/colour.ts';
import { wrap } from './terminal/wrap.ts';

/** Errors that the arguments have to be mended for; every other one is a fault, of ours or of the surroundings. */
const WRONG_USE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'bad_usage',
  'unknown_command',
  'unknown_signal',
  'unknown_provider',
  'bad_broker_url',
  'password_in_url',
  'config_unreadable',
  'config_unknown_key',
  'config_bad_value',
]);

/** A command has done what it should and told all there is to tell, and what it told of is a fault: exit status 1, and nothing more to say. */
export class AlreadyTold extends Error {}

type Surroundings = Pick<CommandContext, 'argv' | 'env' | 'stdout' | 'stderr'>;

/**
 * Tells a failure: what happened and why, then the next step; with `--json` as `{error: {code, message, next}}` on stdout, where a script looks for its answer.
 * Only with SIGNALBOX_LOG_LEVEL=debug it says where in the program.
 * @returns the exit status
 */
export function reportFailure(thrown: unknown, { argv, env, stdout, stderr }: Surroundings): number {
  const error = toError(thrown);
  const { code } = error;
  const message = plainText(error.message);
  const next = plainText(error.next);
  if (wantsJson(argv)) stdout.write(`${JSON.stringify({ error: { code, message, next } })}\n`);
  else stderr.write(forPeople(message, next, stderr, env));
  if (env['SIGNALBOX_LOG_LEVEL'] === 'debug') stderr.write(`${stackOf(error)}\n`);
  return WRONG_USE.has(code) ? 2 : 1;
}

function toError(thrown: unknown): SignalboxError {
  if (thrown instanceof SignalboxError) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new SignalboxError('unexpected', { reason }, { cause: thrown });
}

function forPeople(
  message: string,
  next: string,
  stderr: CommandContext['stderr'],
  env: CommandContext['env'],
): string {
  const width = stderr.isTTY ? Math.min(stderr.columns, 100) : Number.POSITIVE_INFINITY;
  const name = hasColour(stderr, env) ? '\u001b[31;1msignalbox:\u001b[0m' : 'signalbox:';
  const lines = wrap(message, width, { first: 'signalbox: '.length, rest: 2 });
  return `${name} ${lines.trimStart()}\n${wrap(next, width, { first: 2, rest: 2 })}\n`;
}

/** A script may have asked for JSON before its arguments turned out to be wrong, so they are looked at as they are. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some(
    (argument, index) =>
      argument === '--json' ||
      argument === '--format=json' ||
      (argument === '--format' && argv[index + 1] === 'json'),
  );
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\nCaused by ${stackOf(error.cause)}` : '';
  return (
    (error.stack ?? error.message)
      .split('\n')
      .map((line) => plainText(line))
      .join('\n') + cause
  );
}
