import { SignalboxError } from '../../../protocol/errors.ts';
import { createTopics } from '../../../protocol/topics.ts';
import { mayNameABus } from '../../../runtime/config/other-bus.ts';
import { readHubFile } from '../../../runtime/hub-file.ts';
import { resolvePaths } from '../../../runtime/paths.ts';
import type { CommandContext } from '../../context.ts';
import { reportFailure } from '../../failure.ts';
import { contextHere } from '../../here.ts';
import { barOf } from '../bar/bar.ts';
import { starshipFormat } from '../formats/starship.ts';
import type { StatusView } from '../status-view.ts';
import { Gathered, PROMPT_TOPICS } from './gathered.ts';
import { subscribeOnce } from './subscription.ts';

/** Longest that the hub may take [ms]; who waits for a prompt has given up by then. */
const ANSWER_WITHIN = 2_000;

/** `signalbox status --format starship`, which runs at every prompt; by the whole command where that has to be asked. */
export async function runPromptHere(): Promise<void> {
  const context = contextHere();
  const status = await runPrompt(context);
  if (status === undefined) {
    const { runProgram } = await import('../../program.ts');
    process.exitCode = await runProgram(context);
  } else process.exitCode = status;
}

/**
 * The line of a prompt, with nothing loaded but what it needs: asked of the running hub each time, since a line kept in a file would be told as true when the
 * hub is long gone. @returns the exit status; `undefined` where the settings have to be read to know what is asked: then it is the whole command's
 */
async function runPrompt(context: CommandContext): Promise<number | undefined> {
  const paths = resolvePaths(context);
  if (mayNameABus(context.env, paths.configFile)) return undefined;
  const hub = readHubFile(paths.hubFile);
  if (hub !== undefined && (hub.broker_url !== undefined || hub.socket === '')) return undefined;
  const view =
    hub === undefined ? 'there is no hub.json' : await viewOf(hub.socket, hub.prefix).catch(reasonOf);
  const isGone = typeof view === 'string' || view.hub.state !== 'online';
  const shown: StatusView =
    typeof view === 'string'
      ? {
          hub: { state: 'gone', since: 0, reason: view },
          lamp: undefined,
          line: undefined,
          providers: [],
          info: undefined,
        }
      : view;
  context.stdout.write(starshipFormat.once(barOf(shown, { now: Date.now() }), () => []));
  if (!isGone) return 0;
  const reason = shown.hub.state === 'online' ? '' : shown.hub.reason;
  return reportFailure(
    new SignalboxError('no_hub', { detail: `${hub?.socket ?? paths.hubFile}: ${reason}` }),
    context,
  );
}

async function viewOf(socket: string, prefix = ''): Promise<StatusView> {
  const topics = createTopics(prefix);
  const gathered = new Gathered(topics);
  const filters = PROMPT_TOPICS.map((name) => topics.filter(name));
  return new Promise((resolve, reject) => {
    const end = (act: () => void): void => {
      clearTimeout(timer);
      subscription.close();
      act();
    };
    const timer = setTimeout(() => end(() => reject(new Error('it does not say enough'))), ANSWER_WITHIN);
    const subscription = subscribeOnce(socket, filters, {
      onMessage(topic, text) {
        gathered.take(topic, text);
        const view = gathered.view();
        if (view !== undefined) end(() => resolve(view));
      },
      onLost: (error) => end(() => reject(error)),
    });
  });
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
