import { expect, it } from 'vitest';
import { adapt } from '../../../../protocol/adapters/adapt.ts';
import { fingerprintOf } from '../../../../services/aggregator/fingerprint.ts';
import { CONTEXT, RECEIVED } from '../../../support/adapting.ts';

function printOf(payload: object, provider = 'claude'): string {
  const text = JSON.stringify(payload);
  const adapted = adapt({ provider, payload: text, received: RECEIVED }, CONTEXT);
  return fingerprintOf(text, adapted, CONTEXT.hasher);
}

const hook = { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'first' };
const envelope = { v: 1, id: 'one', sent_at: 900, ppid: 7, env: {} };

it('is the same for what an agent hands to two senders', () => {
  expect(printOf({ ...envelope, id: 'two', sent_at: 901, ppid: 8, hook })).toBe(
    printOf({ ...envelope, hook }),
  );
});

it('is another one for other bytes, even where the cut-down event is the same', () => {
  const second = { ...hook, prompt: 'second' };
  expect(printOf({ ...envelope, hook: second })).not.toBe(printOf({ ...envelope, hook }));
  expect(printOf(second)).not.toBe(printOf(hook));
});

it('tells bare payloads apart by all of their bytes', () => {
  expect(printOf(hook)).toBe(printOf(hook));
  expect(printOf({ ...hook, session_id: 't' })).not.toBe(printOf(hook));
});

it('tells events apart whose names stand beside the same bytes', () => {
  const call = { sessionID: 's', tool: 'bash', callID: 'c' };
  const named = (event: string): string => printOf({ ...envelope, event, hook: call }, 'opencode');
  expect(named('tool.execute.before')).not.toBe(named('tool.execute.after'));
  expect(named('tool.execute.after')).toBe(named('tool.execute.after'));
});
