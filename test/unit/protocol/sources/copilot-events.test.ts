import { describe, expect, it } from 'vitest';
import { type CopilotLogState, readCopilotLine } from '../../../../protocol/sources/copilot-events.ts';
import { recordedCopilotLog } from '../../../../protocol/sources/recorded-sources.ts';

const AT = '2026-11-30T10:00:00.250Z';
const SESSION = 'c0ffee00-0000-4000-8000-000000000001';
const CANARY = 'the canary sings';

function line(type: string, data: object = {}, more: object = {}): string {
  return JSON.stringify({ type, data, id: 'e1', timestamp: AT, parentId: null, ...more });
}

const digest = (input: unknown): string | undefined => (input === undefined ? undefined : '00000000000000aa');

/** What a log's lines tell, one after the other. */
function read(...lines: readonly string[]): object[] {
  let state: CopilotLogState = {};
  return lines.flatMap((each) => {
    const told = readCopilotLine(each, SESSION, state, digest);
    state = told.state;
    return told.event === undefined ? [] : [told.event];
  });
}

const prompt = line('user.message', { content: CANARY });
const call = line('tool.execution_start', {
  toolCallId: 'c1',
  toolName: 'bash',
  arguments: { command: CANARY },
});
const asked = line('permission.requested', {
  requestId: 'r1',
  permissionRequest: { kind: 'shell', toolCallId: 'c1', fullCommandText: CANARY },
});
const answered = (kind: unknown) =>
  line('permission.completed', { requestId: 'r1', toolCallId: 'c1', result: { kind, feedback: CANARY } });
const stopped = (input: object = {}) => line('hook.start', { hookType: 'agentStop', input });

describe('a Copilot session’s log', () => {
  it('tells of a request: its id, its call and, where the call was seen, the tool', () => {
    expect(read(call, asked)).toEqual([
      {
        v: 1,
        event: 'PermissionRequest',
        provider: 'copilot',
        session_id: SESSION,
        sent_at: Date.parse(AT),
        request: 'r1',
        call: 'c1',
        tool: 'bash',
        digest: '00000000000000aa',
        notify: true,
        enveloped: true,
      },
    ]);
    expect(read(asked)[0]).not.toHaveProperty('tool');
  });

  it.each(['approved', 'approved-for-session'])('tells that it was %s: the tool begins', (kind) => {
    const [, event] = read(call, asked, answered(kind));
    expect(event).toMatchObject({ event: 'PostToolUse', request: 'r1', call: 'c1', outcome: kind });
    expect(event).not.toHaveProperty('tool');
  });

  it.each(['denied-interactively-by-user', 'cancelled', undefined, { toString: 1 }])(
    'tells that it was not allowed (%j): the tool is over',
    (kind) => {
      const [, event] = read(call, asked, answered(kind));
      expect(event).toMatchObject({ event: 'PermissionDenied', request: 'r1', tool: 'bash' });
    },
  );

  it('tells of a subagent’s request as that agent’s', () => {
    const requested = JSON.parse(asked) as object;
    expect(read(JSON.stringify({ ...requested, agentId: 'a1' }))).toMatchObject([{ agent_id: 'a1' }]);
  });

  it.each(['ask_user', 'exit_plan_mode'])('tells of a question by %s and of its answer', (toolName) => {
    const question = line('tool.execution_start', {
      toolCallId: 'q1',
      toolName,
      arguments: { question: CANARY },
    });
    const answer = line('tool.execution_complete', {
      toolCallId: 'q1',
      success: true,
      result: { content: CANARY },
    });
    const common = { call: 'q1', tool: toolName, digest: '00000000000000aa', notify: true };
    const events = read(question, answer);
    expect(events).toMatchObject([
      { event: 'PreToolUse', ...common },
      { event: 'PostToolUse', ...common },
    ]);
    expect(JSON.stringify(events)).not.toContain('canary');
    // Whose beginning was not seen is nobody's.
    expect(read(answer)).toEqual([]);
    expect(read(JSON.stringify({ ...(JSON.parse(question) as object), agentId: 'a1' }))).toMatchObject([
      { event: 'PreToolUse', agent_id: 'a1' },
    ]);
  });

  it('tells of no other tool', () => {
    expect(read(call, line('tool.execution_complete', { toolCallId: 'c1' }))).toEqual([]);
    expect(read(line('tool.execution_start', { toolCallId: 'q1', toolName: ['ask_user'] }))).toEqual([]);
  });

  it('tells where a turn begins and ends, once', () => {
    expect(
      read(prompt, line('assistant.turn_start'), line('assistant.turn_end'), stopped(), stopped()),
    ).toMatchObject([{ event: 'UserPromptSubmit', own_prompt: true }, { event: 'Stop' }]);
    expect(read(stopped(), line('assistant.turn_start'))).toMatchObject([
      { event: 'Stop' },
      { event: 'UserPromptSubmit' },
    ]);
  });

  it.each([
    ['abort', { reason: 'user_abort' }, { event: 'Interrupt', reason: 'user_abort' }],
    ['session.error', { errorType: 'query', message: CANARY }, { event: 'StopFailure', error: 'query' }],
    ['session.error', { errorType: CANARY }, { event: 'StopFailure', error: 'other' }],
    ['session.error', {}, { event: 'StopFailure', error: 'unknown' }],
  ])('tells of %s %j, and only while a turn runs', (type, data, event) => {
    expect(read(prompt, line(type, data), line(type, data))).toMatchObject([{}, event]);
    expect(read(line(type, data))).toMatchObject([event]);
    expect(read(stopped(), line(type, data))).toMatchObject([{ event: 'Stop' }]);
  });

  it.each([
    ['a subagent’s turn', line('user.message', {}, { agentId: 'a1' })],
    ['a subagent’s error', line('session.error', {}, { agentId: 'a1' })],
    ['a subagent’s end', stopped({ agentId: 'a1' })],
    ['another hook', line('hook.start', { hookType: 'preToolUse' })],
    ['what else is logged', line('session.usage_record')],
    ['half a line', prompt.slice(0, -4)],
    ['no line', ''],
    ['no object', '42'],
    ['null', 'null'],
    ['a line without a time', JSON.stringify({ type: 'abort', data: {} })],
    ['a time that is none', line('abort', {}, { timestamp: { toString: 1 } })],
    ['data that is none', line('permission.completed', {}, { data: null, timestamp: 'never' })],
    ['what nests too deeply', line('abort', JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) as object)],
  ])('tells nothing by %s', (_what, text) => {
    expect(read(text)).toEqual([]);
  });

  it('bears fields of any type', () => {
    expect(
      read(
        line('permission.requested', { requestId: 5, permissionRequest: 'x' }),
        line('abort', [] as object),
      ),
    ).toMatchObject([{ event: 'PermissionRequest' }, { event: 'Interrupt' }]);
  });

  it('remembers the latest calls', () => {
    const calls = Array.from({ length: 64 }, (_, index) =>
      line('tool.execution_start', { toolCallId: `x${index}`, toolName: 'view', arguments: {} }),
    );
    expect(read(call, ...calls, asked)[0]).not.toHaveProperty('tool');
    expect(read(call, ...calls.slice(1), asked)).toMatchObject([{ tool: 'bash' }]);
  });

  it('lets nothing of a text through', () => {
    const events = read(prompt, call, asked, answered(CANARY), line('abort', { reason: CANARY }));
    expect(events).toHaveLength(4);
    expect(JSON.stringify(events)).not.toContain('canary');
  });
});

describe('recorded logs', () => {
  it('are each of the session that they begin with', () => {
    const begins = (sessionId: string) => line('session.start', { sessionId, version: 1 });
    const text = [prompt, begins('one'), prompt, begins('two'), prompt, ''].join('\n');
    expect(recordedCopilotLog(text, digest).map(({ session_id }) => session_id)).toEqual(['one', 'two']);
  });
});
