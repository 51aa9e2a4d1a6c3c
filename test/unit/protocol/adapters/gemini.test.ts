import { describe, expect, it } from 'vitest';
import { GEMINI_EVENTS } from '../../../../protocol/adapters/gemini.ts';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { digestOf, eventOf, fixture, fixtureNames } from '../../../support/adapting.ts';

type Expected = Partial<CanonicalEvent> & Pick<CanonicalEvent, 'event'>;

const BASE: Partial<CanonicalEvent> = {
  v: 1,
  provider: 'gemini',
  host: 'studio',
  session_id: '5f2d6a0e-aaaa-4bbb-8ccc-0123456789ab',
  cwd: '/home/dev/shop',
  transcript: '/home/dev/.gemini/tmp/abc/chats/session.json',
};
const NPM_TEST = { tool: 'run_shell_command', digest: digestOf('{"command":"npm test"}') };
const ASKS = { event: 'PermissionRequest', native: 'Notification' } as const;

/** Each payload and all that may be left of it. */
const PAYLOADS: Readonly<Record<string, Expected>> = {
  AfterAgent: { event: 'Stop', native: 'AfterAgent' },
  AfterModel: { event: 'Other', native: 'AfterModel' },
  AfterTool: { event: 'PostToolUse', native: 'AfterTool', ...NPM_TEST },
  BeforeModel: { event: 'Other', native: 'BeforeModel' },
  BeforeTool: { event: 'PreToolUse', native: 'BeforeTool', ...NPM_TEST },
  BeforeToolSelection: { event: 'Other', native: 'BeforeToolSelection' },
  'Notification-ToolPermission': {
    ...ASKS,
    tool: 'run_shell_command',
    digest: digestOf('{"command":"rm -rf dist"}'),
  },
  'Notification-ToolPermission-ask_user': { ...ASKS, tool: 'ask_user' },
  'Notification-ToolPermission-edit': ASKS,
  'SessionEnd-clear': { event: 'SessionEnd', reason: 'clear' },
  'SessionEnd-exit': { event: 'SessionEnd', reason: 'exit' },
  'SessionEnd-logout': { event: 'SessionEnd', reason: 'logout' },
  'SessionEnd-other': { event: 'SessionEnd', reason: 'other' },
  'SessionEnd-prompt_input_exit': { event: 'SessionEnd', reason: 'prompt_input_exit' },
  'SessionStart-resume': { event: 'SessionStart', source: 'resume' },
  'SessionStart-startup': { event: 'SessionStart', source: 'startup' },
};

const gemini = (event: string, fields: object = {}): CanonicalEvent =>
  eventOf('gemini', { hook_event_name: event, session_id: 's1', ...fields });
const asked = (details: unknown): CanonicalEvent =>
  gemini('Notification', { notification_type: 'ToolPermission', details });
const after = (llmContent: unknown): string =>
  gemini('AfterTool', { tool_name: 'run_shell_command', tool_response: { llmContent } }).event;

describe("Gemini's adapter", () => {
  it('has a row for every example payload', () => {
    expect(Object.keys(PAYLOADS).sort()).toEqual(fixtureNames('gemini'));
  });

  it.each(Object.entries(PAYLOADS))('%s leaves exactly the fields that are allowed', (name, expected) => {
    expect(eventOf('gemini', fixture('gemini', name))).toEqual({ ...BASE, ...expected });
  });

  it.each([...GEMINI_EVENTS])('knows %s, as %s', (name, event) => {
    expect(gemini(name).event).toBe(event);
  });

  it('ties a dialog about a shell command to its call, which has a description besides', () => {
    const call = { tool_name: 'run_shell_command', tool_input: { command: 'touch a', description: 'd' } };
    expect(asked({ type: 'exec', title: 'Confirm', command: 'touch a', rootCommand: 'touch' })).toMatchObject(
      {
        tool: 'run_shell_command',
        digest: gemini('BeforeTool', call).digest,
      },
    );
  });

  it.each([
    ['a question', { type: 'ask_user', title: 'Which?' }, 'ask_user'],
    ['a plan', { type: 'exit_plan_mode', title: 'Plan' }, 'exit_plan_mode'],
    ['an edit', { type: 'edit', filePath: '/a' }, undefined],
    ['a fetch', { type: 'info', urls: ['https://example.com'] }, undefined],
    ['an MCP tool', { type: 'mcp', serverName: 's', toolName: 't' }, undefined],
    ['something new', { type: 'constructor' }, undefined],
    ['nothing', undefined, undefined],
    ['a list', [{ type: 'exec' }], undefined],
  ])('a dialog about %s is a request', (_name, details, tool) => {
    const { digest, ...event } = asked(details);
    expect([event.event, event.tool, digest]).toEqual(['PermissionRequest', tool, undefined]);
  });

  it.each(['idle_prompt', 'toolpermission', 7, ['ToolPermission']])(
    'a notification of type %j is no dialog',
    (notification_type) => expect(gemini('Notification', { notification_type }).event).toBe('Notification'),
  );

  it.each([
    ['[no response text]', 'StopFailure'],
    [' [no response text]\n', 'StopFailure'],
    ['It said [no response text].', 'Stop'],
    ['', 'Stop'],
    [undefined, 'Stop'],
    [['[no response text]'], 'Stop'],
  ])('an answer of %j is a %s', (prompt_response, event) => {
    expect(gemini('AfterAgent', { prompt_response }).event).toBe(event);
  });

  it('a failed answer has a kind, and nothing of its text', () => {
    const failed = gemini('AfterAgent', { prompt: 'p', prompt_response: '[no response text]' });
    expect(failed).toMatchObject({ event: 'StopFailure', native: 'AfterAgent', error: 'no_response' });
    expect(failed).not.toHaveProperty('question');
  });

  it('reads the answer for a question', () => {
    expect(gemini('AfterAgent', { prompt_response: 'Should I commit?' }).question).toBe(true);
    expect(gemini('AfterAgent', { prompt_response: 'Done.' }).question).toBeUndefined();
  });

  it.each([
    ['Command was cancelled by user before it could complete.', 'Interrupt'],
    ['Command was cancelled by user before it could start.', 'Interrupt'],
    ['Command was cancelled by user before it could complete. Below is the output:\nOutput: x', 'Interrupt'],
    ['Command was automatically cancelled because it exceeded the timeout of 5 minutes.', 'PostToolUse'],
    ['Output: Command was cancelled by user', 'PostToolUse'],
    [{ text: 'Command was cancelled by user' }, 'PostToolUse'],
    [undefined, 'PostToolUse'],
  ])('a tool that ends with %j is a %s', (llmContent, event) => {
    expect(after(llmContent)).toBe(event);
  });

  it.each([undefined, null, 'Command was cancelled by user', [], 5])(
    'a tool’s response that is %j tells nothing',
    (tool_response) => expect(gemini('AfterTool', { tool_response }).event).toBe('PostToolUse'),
  );
});
