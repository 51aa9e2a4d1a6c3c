import { describe, expect, it } from 'vitest';
import { adapt } from '../../../protocol/adapters/adapt.ts';
import { SessionTable } from '../../../protocol/table.ts';
import { CONTEXT } from '../../support/adapting.ts';
import { MINUTE, SECOND, T0, tableOptions } from '../../support/driving.ts';

/** An agent whose own payloads reach the hub, a second after one another unless said otherwise. */
function agent(provider: string, base: object = { session_id: 's1', cwd: '/home/dev/shop' }) {
  const table = new SessionTable(tableOptions());
  let now = T0;
  const wait = (ms: number): void => {
    const until = now + ms;
    for (let due = table.nextDeadline(); due !== undefined && due <= until; due = table.nextDeadline())
      table.advance(due);
    now = until;
  };
  return {
    wait,
    hook(name: string, fields: object = {}, after = SECOND): void {
      wait(after);
      const payload = JSON.stringify({
        v: 1,
        sent_at: now,
        hook: { ...base, hook_event_name: name, ...fields },
      });
      const adapted = adapt({ provider, payload, received: now }, CONTEXT);
      if (!adapted.ok) throw new Error(adapted.code);
      table.apply(adapted.event, { now, live: true });
    },
    /** What a display shows of it, and how often it has woken. */
    shows(): [state: string, lamp: string, alert: number] {
      const { attention, lamp, alert } = table.signal(provider);
      return [attention.state, lamp, alert];
    },
    names: () => [...table.sessions()].map(({ project_name }) => project_name),
  };
}

const shell = (command: string) => ({
  tool_name: 'run_shell_command',
  tool_input: { command, description: 'd', is_background: false },
});

describe('Gemini', () => {
  const asks = (command: string) => ({
    notification_type: 'ToolPermission',
    message: 'Tool Confirm Shell Command requires execution',
    details: { type: 'exec', title: 'Confirm Shell Command', command, rootCommand: 'touch' },
  });
  const prompted = () => {
    const gemini = agent('gemini');
    gemini.hook('SessionStart', { source: 'startup' });
    gemini.hook('BeforeAgent', { prompt: 'x' });
    expect(gemini.shows()).toEqual(['running', 'active', 0]);
    return gemini;
  };

  it('a parallel tool’s end does not clear a dialog; its own call’s does (problem 4)', () => {
    const gemini = prompted();
    gemini.hook('BeforeTool', shell('echo one'));
    gemini.hook('BeforeTool', shell('touch two'), 50);
    gemini.hook('Notification', asks('touch two'), 100);
    gemini.hook('AfterTool', shell('echo one'));
    expect(gemini.shows()).toEqual(['needs_user', 'permission', 1]);
    gemini.hook('AfterTool', shell('touch two'));
    expect(gemini.shows()).toEqual(['running', 'active', 1]);
  });

  it('"No" leaves it waiting until the next prompt: one alert, and never green (problem 1)', () => {
    const gemini = prompted();
    gemini.hook('BeforeTool', shell('touch two'));
    gemini.hook('Notification', asks('touch two'), 100);
    gemini.wait(MINUTE);
    expect(gemini.shows()).toEqual(['needs_user', 'permission', 1]);
    gemini.hook('BeforeAgent', { prompt: 'y' });
    expect(gemini.shows()).toEqual(['running', 'active', 1]);
  });

  it('Esc in a running command is told by the command’s result alone (problem 1)', () => {
    const gemini = prompted();
    gemini.hook('BeforeTool', shell('sleep 60'));
    const llmContent = 'Command was cancelled by user before it could complete.';
    gemini.hook('AfterTool', { ...shell('sleep 60'), tool_response: { llmContent } });
    expect(gemini.shows()).toEqual(['idle', 'ready', 0]);
  });

  it('an API error is no answer (problem 19)', () => {
    const gemini = prompted();
    gemini.hook('AfterAgent', { prompt: 'x', prompt_response: '[no response text]' });
    expect(gemini.shows()).toEqual(['error', 'blocked', 0]);
  });

  it('a question is one wait from its tool to its answer (problem 12)', () => {
    const gemini = prompted();
    gemini.hook('BeforeTool', { tool_name: 'ask_user', tool_input: { questions: [1] } });
    gemini.hook('Notification', { ...asks(''), details: { type: 'ask_user', title: 'Ask User' } }, 200);
    gemini.wait(MINUTE);
    expect(gemini.shows()).toEqual(['needs_user', 'permission', 1]);
    gemini.hook('AfterTool', { tool_name: 'ask_user', tool_input: { questions: [1], answers: [2] } });
    expect(gemini.shows()).toEqual(['running', 'active', 1]);
  });

  it('says three times that it ends, and counts once (problem 21)', () => {
    const gemini = prompted();
    gemini.hook('AfterAgent', { prompt: 'x', prompt_response: 'Done.' });
    for (const after of [SECOND, 60, 60]) gemini.hook('SessionEnd', { reason: 'exit' }, after);
    expect(gemini.shows()).toEqual(['idle', 'ready', 0]);
  });
});

describe('Qwen', () => {
  const prompted = () => {
    const qwen = agent('qwen');
    qwen.hook('SessionStart', { source: 'startup' });
    qwen.hook('UserPromptSubmit', { prompt: 'x', submitted_prompt: 'x', prompt_id: 'p########0' });
    return qwen;
  };
  const waitsForPrompt = { notification_type: 'idle_prompt', message: 'Qwen Code is waiting for your input' };

  it('an answer is known as soon as the tool begins (problem 3)', () => {
    const qwen = prompted();
    qwen.hook('PermissionRequest', shell('touch two'));
    qwen.hook('Notification', { notification_type: 'permission_prompt' }, 100);
    qwen.wait(MINUTE);
    expect(qwen.shows()).toEqual(['needs_user', 'permission', 1]);
    qwen.hook('PreToolUse', { ...shell('touch two'), tool_use_id: 't1' });
    expect(qwen.shows()).toEqual(['running', 'active', 1]);
  });

  it('the empty prompt after a batch of tools is not the user’s answer', () => {
    const qwen = prompted();
    qwen.hook('PermissionRequest', { ...shell('touch two'), prompt_id: 'p########0' });
    qwen.hook('UserPromptSubmit', { prompt: '', prompt_id: 'p########0' });
    expect(qwen.shows()).toEqual(['needs_user', 'permission', 1]);
    qwen.hook('UserPromptSubmit', { prompt: 'y', submitted_prompt: 'y', prompt_id: 'p########1' });
    expect(qwen.shows()).toEqual(['running', 'active', 1]);
  });

  it.each([
    ['Esc', [], ['idle', 'ready', 0]],
    ['an end', [['Stop', { last_assistant_message: 'Done.' }]], ['done', 'completed', 0]],
  ] as const)('after %s it waits for a prompt, and needs nobody (problem 11)', (_name, told, shows) => {
    const qwen = prompted();
    for (const [name, fields] of told) qwen.hook(name, fields);
    qwen.hook('Notification', waitsForPrompt, 100);
    expect(qwen.shows()).toEqual(shows);
  });

  it('after an error it waits for a prompt first, and is an error all the same (problem 19)', () => {
    const qwen = prompted();
    qwen.hook('Notification', waitsForPrompt);
    qwen.hook('StopFailure', { error: 'invalid_request', prompt_id: 'p########0' }, 30);
    expect(qwen.shows()).toEqual(['error', 'blocked', 0]);
  });

  it('/clear gives it another id; nothing of the old one stays (problem 24)', () => {
    const qwen = prompted();
    qwen.hook('PermissionRequest', shell('touch two'));
    qwen.hook('SessionEnd', { reason: 'clear' });
    qwen.hook('SessionStart', { source: 'clear', session_id: 's2' }, 50);
    qwen.hook('Notification', { ...waitsForPrompt, session_id: 's2' }, 150);
    expect(qwen.shows()[0]).toBe('idle');
  });
});

describe('Cursor', () => {
  const WINDOWS = { conversation_id: 'c1', generation_id: 'g1', workspace_roots: ['/c:/Users/dev/shop'] };

  it('a long command is never taken for a request', () => {
    const cursor = agent('cursor', WINDOWS);
    cursor.hook('beforeSubmitPrompt', { prompt: 'x' });
    cursor.hook('beforeShellExecution', { command: 'npm test', cwd: 'C:\\Users\\dev\\shop\\api' });
    cursor.wait(30 * MINUTE);
    expect(cursor.shows()).toEqual(['running', 'active', 0]);
    cursor.hook('afterShellExecution', { command: 'npm test', output: 'ok' });
    cursor.hook('stop', { status: 'aborted' });
    expect(cursor.shows()).toEqual(['idle', 'ready', 0]);
    expect(cursor.names()).toEqual(['shop']);
  });
});

describe.each(['gemini', 'qwen', 'codebuddy'])('%s on Windows', (provider) => {
  it('names the project by the last part of its folder', () => {
    const windows = agent(provider, { session_id: 's1', cwd: 'C:\\Users\\dev\\shop' });
    windows.hook('SessionStart', { source: 'startup' });
    expect(windows.names()).toEqual(['shop']);
  });
});

describe.each(['gemini', 'qwen', 'cursor', 'codebuddy'])('%s: an event of a later version', (provider) => {
  it('changes nothing, not even a clock', () => {
    const later = agent(provider, { session_id: 's1', conversation_id: 's1', cwd: '/home/dev/shop' });
    later.hook('SomeFutureEvent', { tool_name: 'x', agent_id: 'a1', status: 'error' });
    expect(later.names()).toEqual([]);
    later.hook('SessionStart', { source: 'startup' });
    const before = later.shows();
    for (const name of ['SomeFutureEvent', '__proto__', 'constructor', 'toString'])
      later.hook(name, { agent_id: 'a1' });
    expect(later.shows()).toEqual(before);
  });
});
