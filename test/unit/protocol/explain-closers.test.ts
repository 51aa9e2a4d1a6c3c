import { describe, expect, it } from 'vitest';
import { explained, type Teller, telling } from '../../support/explaining.ts';

const asked = { tool: 'Bash', digest: '00000000000000aa' };

describe('what would close a request', () => {
  const closers = (teller: Teller, index = 0): string[] =>
    explained(teller).open[index]?.closed_by.map(({ by }) => by) ?? [];

  it.each<readonly [kind: string, open: (t: Teller) => void, closers: readonly string[]]>([
    [
      'a permission',
      (t) => t.hook('PermissionRequest', asked),
      ['tool_end', 'prompt', 'turn_end', 'interrupt', 'session_end'],
    ],
    [
      'a subagent’s permission',
      (t) => t.hook('PermissionRequest', { ...asked, agent_id: 'a1' }),
      ['tool_end', 'agent_end', 'interrupt', 'session_end'],
    ],
    [
      'a question',
      (t) => t.hook('PreToolUse', { tool: 'AskUserQuestion' }),
      ['tool_end', 'prompt', 'turn_end', 'interrupt', 'session_end'],
    ],
    [
      'an elicitation of a named request',
      (t) => t.hook('Elicitation', { request: 'r1' }),
      ['tool_end', 'answer', 'prompt', 'turn_end', 'interrupt', 'session_end'],
    ],
    [
      'a dialog',
      (t) => t.hook('PreModelSwitch'),
      ['tool_end', 'dialog_end', 'prompt', 'turn_end', 'interrupt', 'session_end'],
    ],
    [
      'a notification',
      (t) => t.hook('Notification', { notification: 'permission_prompt' }),
      ['tool_end', 'prompt', 'turn_end', 'interrupt', 'session_end'],
    ],
    [
      'a possible question',
      (t) => t.hook('Stop', { question: true }),
      ['prompt', 'interrupt', 'session_end'],
    ],
    [
      'an account',
      (t) => t.hook('StopFailure', { error: 'billing_error' }),
      ['prompt', 'login', 'interrupt', 'session_end'],
    ],
    [
      'a wait that a status tells of',
      (t) => t.status('waiting', 'permission prompt'),
      ['batch_end', 'prompt', 'turn_end', 'interrupt', 'session_end', 'status'],
    ],
  ])('%s', (_kind, open, expected) => {
    const teller = telling();
    teller.begin();
    open(teller);
    expect(closers(teller)).toEqual(expected);
  });

  it('says which statuses; only where the client has one', () => {
    const teller = telling();
    teller.status('busy');
    teller.hook('UserPromptSubmit', { prompt_id: 'p1' });
    teller.hook('PermissionRequest', asked);
    const words = (): string | undefined => explained(teller).open[0]?.closed_by.at(-1)?.words;
    expect(words()).toBe('a newer status of its client (busy or idle)');
    teller.hook('Stop', { question: true });
    expect(words()).toBe('a newer status of its client (busy)');
    teller.hook('StopFailure', { error: 'billing_error', prompt_id: 'p2' });
    teller.hook('UserPromptSubmit', { prompt_id: 'p3' });
    teller.hook('StopFailure', { error: 'billing_error' });
    expect(words()).not.toContain('status');
  });

  it('an acknowledgement, where this hub takes any and the user has not given it', () => {
    const teller = telling();
    teller.begin();
    teller.hook('PermissionRequest', asked);
    const commands = ['ack'];
    const [open] = explained(teller, { commands }).open;
    expect(open).toMatchObject({ standing: 'raised', opened_at: Math.floor(teller.now() / 1000) });
    expect(open?.closed_by.at(-1)?.by).toBe('ack');
    const acked = explained(teller, { commands, record: { acked: [open?.id ?? ''] } });
    expect(acked).toMatchObject({ state: 'running', open: [{ standing: 'acknowledged' }] });
    expect(acked.open[0]?.closed_by.map(({ by }) => by)).not.toContain('ack');
  });

  it('does close it: each event that it names is folded in, and the request is gone', () => {
    const events = {
      tool_end: 'PostToolUse',
      prompt: 'UserPromptSubmit',
      turn_end: 'Stop',
      interrupt: 'Interrupt',
      session_end: 'SessionEnd',
    } as const;
    for (const event of Object.values(events)) {
      const teller = telling();
      teller.begin();
      teller.hook('PermissionRequest', asked);
      teller.hook(
        event,
        event === 'PostToolUse' ? asked : { prompt_id: event === 'UserPromptSubmit' ? 'p2' : 'p1' },
      );
      expect(teller.kinds()).toEqual([]);
    }
  });
});
