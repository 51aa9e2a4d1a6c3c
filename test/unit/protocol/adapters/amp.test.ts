import { describe, expect, it } from 'vitest';
import { digestOf, eventOf } from '../../../support/adapting.ts';

const BASE = { agent: 'amp', session_id: 'T-synthetic-0001', cwd: '/home/dev/shop' };

describe('what the Amp plugin sends', () => {
  it.each([
    ['session.start', 'SessionStart'],
    ['agent.start', 'UserPromptSubmit'],
    ['agent.end', 'Stop'],
    ['tool.call', 'PreToolUse'],
    ['tool.result', 'PostToolUse'],
    ['something.new', 'Other'],
    ['Stop', 'Stop'],
  ])('%s is %s', (event, canonical) => {
    expect(eventOf('amp', { ...BASE, event })).toMatchObject({
      event: canonical,
      session_id: BASE.session_id,
    });
  });

  it('tells of a call', () => {
    const call = { ...BASE, event: 'tool.call', tool: 'Bash', call: 'toolu_1', input: { cmd: 'ls' } };
    expect(eventOf('amp', call)).toEqual({
      v: 1,
      event: 'PreToolUse',
      provider: 'amp',
      host: 'studio',
      session_id: BASE.session_id,
      cwd: '/home/dev/shop',
      tool: 'Bash',
      call: 'toolu_1',
      digest: digestOf('{"cmd":"ls"}'),
      native: 'tool.call',
    });
  });

  it.each([
    ['done', 'Stop'],
    ['error', 'StopFailure'],
    ['cancelled', 'Interrupt'],
    [undefined, 'Stop'],
    [{}, 'Stop'],
  ])('agent.end with status %j is %s', (status, event) => {
    expect(eventOf('amp', { ...BASE, event: 'agent.end', status }).event).toBe(event);
  });

  it('may ask in its last message', () => {
    const end = { ...BASE, event: 'agent.end', last_assistant_message: 'Done. Should I go on?' };
    expect(eventOf('amp', end).question).toBe(true);
  });
});
