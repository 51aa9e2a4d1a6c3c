import { type Case, type Sent, sequenceOf } from './case.ts';

type Place = Pick<Sent, 'topic' | 'sequence'>;
type Cases = ReadonlyMap<string, Case>;

/** A case of which something is on the phone, or on its way there. */
export type Told = Case & { readonly sent: Sent };

/** Those that one message tells of: it is in one place on the phone, which bears the sequence id of the one that it names. */
export function sharers(cases: Cases, { topic, sequence }: Place): Told[] {
  return [...cases.values()].filter(
    (each): each is Told => each.sent?.topic === topic && each.sent.sequence === sequence,
  );
}

/** Is it the one that the message names? */
export function leads({ session, sent }: Case): boolean {
  return sent?.sequence === sequenceOf(session);
}
