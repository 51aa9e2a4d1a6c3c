import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { adapt } from '../../../protocol/adapters/adapt.ts';
import { SessionTable } from '../../../protocol/table.ts';
import { CONTEXT, fixture, fixtureNames } from '../../support/adapting.ts';
import { T0, tableOptions } from '../../support/driving.ts';

interface Expected {
  readonly state: string;
  readonly lamp: string;
  readonly kind?: string;
}

const EXPECTED = JSON.parse(
  readFileSync(new URL('../../fixtures/payloads/expected.json', import.meta.url), 'utf8'),
) as Record<string, Expected>;

type Payload = Record<string, unknown>;
type Sent = readonly [event: string | undefined, payload: Payload];

/** An agent whose payloads have a form of their own: what it sends when a session and a turn begin, and its event's name where that stands beside its JSON. */
interface Agent {
  readonly session: string;
  readonly begins: readonly Sent[];
  readonly beside: (name: string) => string | undefined;
}

const COPILOT = { sessionId: 'c0ffee00-0000-4000-8000-000000000001', cwd: '/home/dev/shop' };
const OPENCODE = { id: 'ses_SYNTH0001', directory: '/home/dev/shop' };
const AMP = { agent: 'amp', session_id: 'T-synthetic-0001', cwd: '/home/dev/shop' };

const AGENTS: Readonly<Record<string, Agent>> = {
  copilot: {
    session: COPILOT.sessionId,
    begins: [
      ['sessionStart', { ...COPILOT, source: 'startup' }],
      ['userPromptSubmitted', { ...COPILOT, prompt: 'Add a retry' }],
    ],
    beside: (name) => (name.startsWith('pascal-') ? undefined : name.split('-')[0]),
  },
  opencode: {
    session: OPENCODE.id,
    begins: [
      [undefined, { type: 'session.created', properties: { info: OPENCODE } }],
      ['chat.message', { sessionID: OPENCODE.id, agent: 'build' }],
    ],
    beside: () => undefined,
  },
  amp: {
    session: AMP.session_id,
    begins: [
      [undefined, { ...AMP, event: 'session.start' }],
      [undefined, { ...AMP, event: 'agent.start' }],
    ],
    beside: () => undefined,
  },
};

const STARTS = /^(?:sessionStart|session\.created$)/;

/** What the session is after a payload, and what it was before. */
function outcomes(slug: string, name: string) {
  const { session, begins, beside } = AGENTS[slug] as Agent;
  const table = new SessionTable(tableOptions());
  const give = ([event, payload]: Sent, now: number) => {
    // The examples are as old as they are: the client's own time is that of the test.
    const hook = payload['timestamp'] === undefined ? payload : { ...payload, timestamp: now };
    const sent = JSON.stringify({ v: 1, hook, ...(event !== undefined && { event }) });
    const adapted = adapt({ provider: slug, payload: sent, received: now }, CONTEXT);
    if (!adapted.ok) throw new Error(adapted.code);
    table.advance(now);
    table.apply(adapted.event, { now, live: true });
  };
  const shown = () => {
    const sessions = [...table.sessions()];
    expect(sessions.length).toBeLessThan(2);
    const [known] = sessions;
    return {
      id: known?.session_id,
      state: known?.state,
      lamp: known?.lamp,
      kinds: known?.attentions.map((open) => open.kind),
    };
  };
  if (!STARTS.test(name)) for (const [index, sent] of begins.entries()) give(sent, T0 + index * 1_000);
  const before = shown();
  give([beside(name), fixture(slug, name)], T0 + 2_000);
  expect(shown().id).toBe(session);
  return { before, after: shown() };
}

describe.each(Object.keys(AGENTS))('example payloads of %s', (slug) => {
  it('every payload has its row', () => {
    const rows = Object.keys(EXPECTED).filter((file) => file.startsWith(`${slug}/`));
    expect(rows.sort()).toEqual(
      fixtureNames(slug)
        .map((name) => `${slug}/${name}.json`)
        .sort(),
    );
  });

  it.each(fixtureNames(slug))('%s', (name) => {
    const { before, after } = outcomes(slug, name);
    const { state, lamp, kind } = EXPECTED[`${slug}/${name}.json`] as Expected;
    expect(after.state).toBe(state === 'unchanged' ? before.state : state);
    expect(after.lamp).toBe(lamp === 'unchanged' ? before.lamp : lamp);
    expect(after.kinds).toEqual(kind === undefined ? [] : [kind]);
  });
});
