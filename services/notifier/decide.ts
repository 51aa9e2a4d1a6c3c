import type { SessionPayload } from '../../protocol/messages/session.ts';
import { type Case, subjectOf, type Why } from './case.ts';
import { NEWS } from './news.ts';
import { quietUntil } from './quiet-hours.ts';
import type { NotifySettings, Ruled, Rules } from './rules.ts';
import type { Subject } from './words.ts';

/** The world at the moment at which a message is due. Times are unix ms. */
export interface World {
  readonly now: number;
  readonly settings: NotifySettings;
  readonly rules: Rules;
  /** Last input in the terminal of the session, at the latest; undefined where nothing tells. */
  readonly lastInput: number | undefined;
  /** When the last message about this provider went out. */
  readonly lastSent: number | undefined;
  /** One about this provider is still on its way. */
  readonly isBusy: boolean;
}

export type Decision =
  | { readonly do: 'send'; readonly ruled: Ruled; readonly about: { subject: Subject; tool?: string } }
  /** `until` undefined: until the session changes, or the outbox. */
  | { readonly do: 'hold'; readonly why: Why; readonly until: number | undefined }
  | { readonly do: 'drop'; readonly why: Why };

/** At most one message per provider in this time [ms] (spec: consumers, section 2). */
export const STORM = 10_000;

/** Whether a message that is due goes now: everything is looked at again at send time. */
export function decide(known: Case, session: SessionPayload, world: World): Decision {
  const { now, settings, rules, lastInput, lastSent, isBusy } = world;
  const about = subjectOf(session, known.subject, (kind) => settings.priorities[kind]);
  const ruled = rules({ provider: session.provider, project: session.project, subject: about.subject });
  if (!ruled.enabled) return { do: 'drop', why: 'rule' };
  if (ruled.priority === 0) return { do: 'drop', why: 'priority' };
  const isWait = known.subject === 'wait';
  if (session.lamp === 'paused') return isWait ? hold('paused', undefined) : { do: 'drop', why: 'paused' };
  const quiet = quietUntil(settings.quiet_hours, ruled.priority, now);
  if (quiet !== undefined) return isWait ? hold('quiet_hours', quiet) : { do: 'drop', why: 'quiet_hours' };
  const present = settings.presence * 1000;
  if (present > 0 && lastInput !== undefined && lastInput <= now && now - lastInput < present)
    return hold('presence', lastInput + present);
  if (isBusy) {
    const held = known.plan?.held === 'outbox' && now - known.plan.at > NEWS;
    return held ? { do: 'drop', why: 'old' } : hold('outbox', undefined);
  }
  // A time ahead of now was written before the clock was set back.
  if (lastSent !== undefined && lastSent <= now && now - lastSent < STORM)
    return hold('storm', lastSent + STORM);
  return { do: 'send', ruled, about };
}

function hold(why: Why, until: number | undefined): Decision {
  return { do: 'hold', why, until };
}
