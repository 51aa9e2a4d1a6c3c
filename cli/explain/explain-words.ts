import type { Explanation, ExplainedEvidence, ExplainedRequest } from '../../protocol/messages/explain.ts';
import { cellText } from '../terminal/cells.ts';
import { ago, shortDuration } from '../terminal/duration.ts';

const ORIGINS: Readonly<Record<ExplainedEvidence['origin'], string>> = {
  hook: 'the hook',
  signal: 'the raw signal',
  status: "its client's status",
  process: 'a look for its process:',
};

/** `the hook PermissionRequest, 2 min ago`. */
export function evidenceWords({ origin, what, age_s }: ExplainedEvidence): string {
  return `${ORIGINS[origin]} ${cellText(what)}, ${ago(age_s)}`;
}

const STANDINGS: Readonly<Record<ExplainedRequest['standing'], string>> = {
  raised: '',
  held: '; held back for a moment, since a session without a person may answer itself',
  acknowledged: '; acknowledged',
};

/** When a person has said something, and who: `2 min ago by local`. */
export function wordWords({ age_s, by }: { readonly age_s: number; readonly by: string }): string {
  return `${ago(age_s)}${by === '' ? '' : ` by ${cellText(by)}`}`;
}

/** An open request: what it asks, of whom, since when, by what. */
export function requestWords(open: ExplainedRequest): string {
  const { kind, tool, agent_id, age_s, evidence, standing, by_user, acked } = open;
  const what = kind.replaceAll('_', ' ') + (tool === undefined ? '' : ` for ${cellText(tool)}`);
  const who = agent_id === undefined ? '' : `, of the subagent ${cellText(agent_id)}`;
  const user = by_user === true ? '; opened by you' : '';
  const by = `${ORIGINS[evidence.origin]} ${cellText(evidence.what)}`;
  const word = acked === undefined ? STANDINGS[standing] : `; acknowledged ${wordWords(acked)}`;
  return `${what}${who}, open for ${shortDuration(age_s)}, by ${by}${user}${word}`;
}

/** What would close it: `Closed by: a, b or c.` */
export function closersWords({ closed_by }: ExplainedRequest): string {
  const all = closed_by.map(({ words }) => cellText(words));
  const last = all.pop();
  if (last === undefined) return 'Closed by: nothing but time.';
  return `Closed by: ${all.length === 0 ? last : `${all.join(', ')} or ${last}`}.`;
}

/** The client's status: what it says, and what that counts. */
export function statusWords({ value, waiting_for, age_s = 0, words }: Explanation['status']): string {
  if (value === undefined) return cellText(words);
  const wait = waiting_for === undefined ? '' : ` (${cellText(waiting_for)})`;
  return `Its client's status is ${cellText(value)}${wait}, ${ago(age_s)}. ${cellText(words)}`;
}
