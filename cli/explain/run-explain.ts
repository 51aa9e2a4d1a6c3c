import { SignalboxError } from '../../protocol/errors.ts';
import { explainData } from '../../protocol/messages/explain.ts';
import { systemClock } from '../../runtime/clock.ts';
import { openBus } from '../bus.ts';
import type { CommandContext } from '../context.ts';
import type { SettingOptions } from '../options.ts';
import { loadSettings, providerNamed } from '../settings.ts';
import { lookAt } from '../terminal/look.ts';
import { askHub } from './ask-hub.ts';
import { explainText } from './explain-text.ts';

export interface ExplainOptions extends SettingOptions {
  readonly json?: true;
  readonly provider?: string;
}

/**
 * `signalbox explain`: one session in full, or all of them in short.
 * @throws SignalboxError `no_such_session`, `ambiguous_session`, `unknown_provider`, `no_hub`, `needs_socket`, `not_taken`, those of the settings
 */
export async function runExplain(
  session: string | undefined,
  options: ExplainOptions,
  context: CommandContext,
): Promise<void> {
  const settings = loadSettings(context, options);
  const provider = options.provider === undefined ? undefined : providerNamed(options.provider, settings);
  const asked = { ...(session !== undefined && { session }), ...(provider !== undefined && { provider }) };
  const clock = systemClock();
  const bus = await openBus(settings, context);
  try {
    const answer = explainData.safeParse(await askHub(bus, 'explain', asked, { settings, clock }));
    if (!answer.success)
      throw new SignalboxError('unexpected', {
        reason: 'the hub answers in a form that this version does not read',
      });
    const { explanations, left_out } = answer.data;
    const nameOf = (slug: string): string => settings.registry.find(slug)?.name ?? slug;
    context.stdout.write(
      options.json
        ? `${JSON.stringify({ explanations, left_out }, undefined, 2)}\n`
        : explainText({
            explanations,
            left_out,
            whole: session !== undefined,
            nameOf,
            look: lookAt(context, clock.now()),
          }),
    );
  } finally {
    await bus.link.close();
  }
}
