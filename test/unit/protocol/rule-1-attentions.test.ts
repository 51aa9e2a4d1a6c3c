import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { type Driver, drive, type Fields } from '../../support/driving.ts';

const BASH: Fields = { tool: 'Bash', digest: 'd1' };

function asked(fields: Fields = BASH): Driver {
  const driver = drive();
  driver.begin();
  driver.hook('PreToolUse', fields);
  driver.hook('PermissionRequest', fields);
  expect(driver.state()).toBe('needs_user');
  return driver;
}

describe('rule 1: keyed by agent, tool and input', () => {
  it('a second opening of the same key is the same request', () => {
    const driver = asked();
    const [first] = driver.the().attentions;
    driver.hook('PermissionRequest', BASH);
    expect(driver.the().attentions).toEqual([first]);
  });

  it.each<[string, Fields]>([
    ['tool', { tool: 'Write', digest: 'd1' }],
    ['input', { tool: 'Bash', digest: 'd2' }],
    ['agent', { tool: 'Bash', digest: 'd1', agent_id: 'a1' }],
    ['request id', { tool: 'Bash', digest: 'd1', request: 'r1' }],
  ])('another %s is another request', (_what, fields) => {
    const driver = asked();
    driver.hook('PermissionRequest', fields);
    expect(driver.kinds()).toEqual(['permission', 'permission']);
    expect(new Set(driver.the().attentions.map((open) => open.id)).size).toBe(2);
  });

  it('requests that name an id are told apart by it', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', { tool: 'bash', request: 'r1' });
    driver.hook('PermissionRequest', { tool: 'bash', request: 'r1' }, { after: 1500 });
    driver.hook('PermissionRequest', { tool: 'bash', request: 'r2' }, { after: 0 });
    driver.hook('PermissionRequest', { tool: 'bash', request: 'r3' }, { after: 0 });
    expect(driver.the().attentions.map((open) => open.request)).toEqual(['r1', 'r2', 'r3']);
    expect(new Set(driver.the().attentions.map((open) => open.id)).size).toBe(3);
  });

  it.each(['AskUserQuestion', 'ExitPlanMode'])(
    'the PermissionRequest of %s after its PreToolUse is the same',
    (tool) => {
      const driver = drive();
      driver.begin();
      driver.hook('PreToolUse', { tool, digest: 'd1' });
      const [first] = driver.the().attentions;
      driver.hook('PermissionRequest', { tool, digest: 'd2' });
      expect(driver.the().attentions).toEqual([first]);
    },
  );

  it('without a tool the kind is all there is to tell requests apart', () => {
    const driver = drive();
    driver.begin();
    for (const event of ['PermissionRequest', 'Elicitation', 'PermissionRequest', 'Elicitation'] as const)
      driver.hook(event);
    expect(driver.kinds()).toEqual(['permission', 'elicitation']);
  });

  it('remembers what opened it, and where that came from', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', { ...BASH, call: 'c1', agent_id: 'a1', sent_at: driver.now() + 500 });
    expect(driver.the().attentions).toEqual([
      {
        id: expect.stringMatching(/^permission-/),
        kind: 'permission',
        agent_id: 'a1',
        tool: 'Bash',
        digest: 'd1',
        call: 'c1',
        opened_at: driver.now(),
        moment: driver.now() - 500,
        evidence: { origin: 'hook', what: 'PermissionRequest', at: driver.now() },
      },
    ]);
  });

  it('a flood of requests keeps the last 64', () => {
    const driver = drive();
    for (let index = 0; index < 70; index++) driver.hook('PermissionRequest', { tool: `t${index}` });
    expect(driver.the().attentions.map((open) => open.tool)).toEqual(
      Array.from({ length: 64 }, (_, index) => `t${index + 6}`),
    );
  });
});

/** One request of each kind that a main agent can have open at once. */
function everyKind(): Driver {
  const driver = drive();
  driver.begin();
  driver.hook('StopFailure', { error: 'billing_error' });
  driver.hook('PreToolUse', { tool: 'ExitPlanMode' });
  driver.hook('PreToolUse', { tool: 'AskUserQuestion' });
  driver.hook('PermissionRequest', BASH);
  driver.hook('Elicitation');
  driver.hook('Notification');
  driver.hook('PreModelSwitch');
  return driver;
}
const ALL = ['account', 'plan_approval', 'question', 'permission', 'elicitation', 'notification', 'dialog'];
const without = (...kinds: string[]) => ALL.filter((kind) => !kinds.includes(kind));

describe('rule 1: resolved only by', () => {
  it.each<[string, EventName, Fields, string[]]>([
    // A tool's end closes its own key, and what was opened without a tool.
    ['a tool’s end', 'PostToolUse', BASH, ['account', 'plan_approval', 'question']],
    ['a tool’s failure', 'PostToolUseFailure', BASH, ['account', 'plan_approval', 'question']],
    ['a denial by the agent', 'PermissionDenied', BASH, ['account', 'plan_approval', 'question']],
    [
      'another input’s end',
      'PostToolUse',
      { tool: 'Bash', digest: 'd2' },
      ['account', 'plan_approval', 'question', 'permission'],
    ],
    [
      'another tool’s end',
      'PostToolUse',
      { tool: 'Read', digest: 'd1' },
      ['account', 'plan_approval', 'question', 'permission'],
    ],
    [
      'a question’s answer, which changes its input',
      'PostToolUse',
      { tool: 'AskUserQuestion', digest: 'd9' },
      ['account', 'plan_approval', 'permission'],
    ],
    [
      'a plan’s answer',
      'PostToolUse',
      { tool: 'ExitPlanMode', digest: 'd9' },
      ['account', 'question', 'permission'],
    ],
    [
      'a failed question',
      'PostToolUseFailure',
      { tool: 'AskUserQuestion' },
      ['account', 'plan_approval', 'permission'],
    ],
    ['an elicitation’s result', 'ElicitationResult', {}, without('elicitation')],
    ['a model switch’s end', 'PostModelSwitch', {}, without('dialog')],
    ['a batch’s end', 'PostToolBatch', {}, ['account']],
    ['a turn’s end', 'Stop', {}, []],
    ['a failed end', 'StopFailure', { error: 'overloaded' }, []],
    ['an interrupt', 'Interrupt', {}, []],
    ['the session’s end', 'SessionEnd', {}, []],
    ['a new start', 'SessionStart', { source: 'resume' }, []],
    ['a compaction’s start', 'SessionStart', { source: 'compact' }, ALL],
    ['a typed prompt', 'UserPromptSubmit', { prompt_id: 'p7' }, []],
    ['a prompt without an id', 'UserPromptSubmit', {}, []],
    ['a tool that begins', 'PreToolUse', { tool: 'Read' }, ALL],
    ['the asking tool that begins again', 'PreToolUse', BASH, ALL],
    ['a subagent’s start', 'SubagentStart', { agent_id: 'a1' }, ALL],
    ['an event without meaning', 'Other', {}, ALL],
    ['by hand, without tool and agent: a tool', 'PreToolUse', {}, []],
    ['by hand: a tool’s end', 'PostToolUse', {}, []],
    ['by hand: a tool’s failure', 'PostToolUseFailure', {}, []],
    ['by hand: a denial', 'PermissionDenied', {}, []],
    ['the login that worked', 'Notification', { notification: 'auth_success' }, without('account')],
  ])('%s: %s %j', (_what, event, fields, left) => {
    const driver = everyKind();
    expect(driver.kinds()).toEqual(ALL);
    driver.hook(event, fields);
    expect(driver.kinds()).toEqual(left);
  });

  it('a failed end closes all but the account error that it opens itself', () => {
    const driver = everyKind();
    driver.hook('StopFailure', { error: 'authentication_failed' });
    expect(driver.kinds()).toEqual(['account']);
    expect(driver.reason()).toBe('authentication_failed');
  });

  it('an end that asks closes the question before it and opens its own', () => {
    const driver = drive();
    driver.begin();
    driver.hook('Stop', { question: true });
    const [first] = driver.the().attentions;
    driver.hook('Stop', { question: true });
    expect(driver.kinds()).toEqual(['possible_question']);
    expect(driver.the().attentions[0]?.id).not.toBe(first?.id);
  });

  it.each<[string, EventName, Fields, string[]]>([
    ['a batch’s end', 'PostToolBatch', {}, ['possible_question']],
    ['a tool’s end', 'PostToolUse', BASH, ['possible_question']],
    ['a typed prompt', 'UserPromptSubmit', { prompt_id: 'p2' }, []],
  ])('a possible question and %s', (_what, event, fields, left) => {
    const driver = drive();
    driver.begin();
    driver.hook('Stop', { question: true });
    driver.hook(event, fields);
    expect(driver.kinds()).toEqual(left);
  });

  it.each<[string, Fields, string]>([
    ['its own call', { call: 'c1' }, 'running'],
    ['another call of the same tool', { call: 'c2' }, 'needs_user'],
    ['no call', {}, 'running'],
  ])('the end of %s, for a request with an id that names its call', (_what, fields, state) => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', { tool: 'bash', request: 'r1', call: 'c1' });
    driver.hook('PostToolUse', { tool: 'bash', digest: '00000000000000aa', ...fields });
    expect(driver.state()).toBe(state);
  });

  it('an answer leaves the tool that it allows open', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PreToolUse', { tool: 'bash', call: 'c1' });
    driver.hook('PermissionRequest', { tool: 'bash', request: 'r1', call: 'c1' });
    driver.hook('PostToolUse', { request: 'r1' });
    expect([driver.state(), driver.the().open_tools.length]).toEqual(['running', 1]);
  });

  it('an answer that names the request’s id, and no other', () => {
    const driver = drive({ defaults: { provider: 'opencode' } });
    driver.begin();
    for (const request of ['r1', 'r2'])
      driver.hook('PermissionRequest', { tool: 'bash', digest: 'd1', request });
    driver.hook('PostToolUse', { request: 'r1' });
    expect(driver.the().attentions.map((open) => open.request)).toEqual(['r2']);
    driver.hook('PermissionDenied', { tool: 'bash', digest: 'd1', request: 'r1' });
    expect(driver.kinds()).toEqual(['permission']);
    driver.hook('PostToolUse', { tool: 'bash', digest: 'd1' });
    expect(driver.kinds()).toEqual([]);
  });

  it('an elicitation’s result that names an id closes that one; without an id all of them', () => {
    const driver = drive();
    driver.begin();
    for (const request of ['e1', 'e2', 'e3']) driver.hook('Elicitation', { request });
    driver.hook('ElicitationResult', { request: 'e2' });
    expect(driver.the().attentions.map((open) => open.request)).toEqual(['e1', 'e3']);
    driver.hook('ElicitationResult');
    expect(driver.kinds()).toEqual([]);
  });

  it('Qwen’s PreToolUse of the same key, which comes after its request', () => {
    const driver = drive({ defaults: { provider: 'qwen' } });
    driver.begin();
    driver.hook('PermissionRequest', BASH);
    driver.hook('PermissionRequest', { tool: 'write_file', digest: 'd2' });
    driver.hook('PreToolUse', BASH);
    expect(driver.the().attentions.map((open) => open.tool)).toEqual(['write_file']);
    driver.hook('PreToolUse', { tool: 'write_file', digest: 'd3' });
    expect(driver.state()).toBe('needs_user');
  });

  it.each([
    ['ask_user_question', 'question'],
    ['exit_plan_mode', 'plan_approval'],
  ])('Qwen’s PreToolUse of %s comes after the answer: it closes and opens nothing', (tool, kind) => {
    const driver = drive({ defaults: { provider: 'qwen' } });
    driver.begin();
    driver.hook('PermissionRequest', { tool, digest: 'd1' });
    expect([driver.state(), driver.kinds()]).toEqual(['needs_user', [kind]]);
    driver.hook('PreToolUse', { tool, digest: 'd2' });
    expect([driver.state(), driver.kinds()]).toEqual(['running', []]);
  });

  it('a digest that one side lacks leaves tool and agent to go by', () => {
    const driver = asked({ tool: 'Bash' });
    driver.hook('PostToolUse', BASH);
    expect(driver.kinds()).toEqual([]);
    const other = asked();
    other.hook('PostToolUse', { tool: 'Bash' });
    expect(other.kinds()).toEqual([]);
  });
});
