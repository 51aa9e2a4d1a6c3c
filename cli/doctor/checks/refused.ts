import { type ErrorCode, ERRORS } from '../../../protocol/errors.ts';
import type { RefusedTally } from '../../../services/aggregator/store/rows.ts';
import { ago } from '../../terminal/duration.ts';
import { type Check, type Finding, ok, warning } from '../check.ts';
import type { Facts } from '../facts.ts';

/** What was refused before is mended, or nobody misses it [ms]. */
const LATELY = 24 * 60 * 60 * 1000;
const SHOWN = 5;

/** What the door has refused within a day, by provider and code. */
export const refusedCheck: Check = {
  name: 'refused',
  run(facts) {
    const { database, now } = facts;
    if (database.kind !== 'sound') return [];
    const lately = database.refused.filter(({ last_at }) => now - last_at < LATELY);
    if (lately.length === 0) return [ok('nothing within a day')];
    return lately.slice(0, SHOWN).map((tally) => refused(tally, facts));
  },
};

function refused(tally: RefusedTally, { settings, now }: Facts): Finding {
  const { provider, code, count, last_at } = tally;
  const whose = provider === '' ? '' : ` from ${settings.registry.find(provider)?.name ?? provider}`;
  const events = count === 1 ? '1 event' : `${count} events`;
  const message = `${events}${whose} refused as ${code}, the last ${ago((now - last_at) / 1000)}.`;
  return warning(code, message, mendOf(code), { provider, code, count, last_at });
}

/** The next step, where it needs nothing that only the refused event had. */
function mendOf(code: string): string | undefined {
  const next = Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode].next : undefined;
  return next === undefined || next.includes('{') ? undefined : next;
}
