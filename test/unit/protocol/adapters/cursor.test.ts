import { describe, expect, it } from 'vitest';
import { CURSOR_EVENTS } from '../../../../protocol/adapters/cursor.ts';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { adapted, digestOf, eventOf, fixture, fixtureNames } from '../../../support/adapting.ts';

type Expected = Partial<CanonicalEvent> & Pick<CanonicalEvent, 'event'>;

const BASE: Partial<CanonicalEvent> = {
  v: 1,
  provider: 'cursor',
  host: 'studio',
  session_id: 'b1c2d3e4-1111-4111-8111-000000000001',
  prompt_id: 'b1c2d3e4-2222-4222-8222-000000000002',
  cwd: '/home/dev/shop',
};
const NPM_TEST = { tool: 'Shell', digest: digestOf('{"command":"npm test"}') };
const SEARCH = { tool: 'search', digest: digestOf(String.raw`"{\"q\":\"retry\"}"`) };

/** Each payload and all that may be left of it, beside its name. */
const PAYLOADS: Readonly<Record<string, Expected>> = {
  afterAgentResponse: { event: 'Other' },
  afterAgentThought: { event: 'Other' },
  afterFileEdit: { event: 'PostToolUse', tool: 'Write' },
  afterMCPExecution: { event: 'PostToolUse', ...SEARCH },
  beforeMCPExecution: { event: 'PreToolUse', ...SEARCH },
  beforeReadFile: { event: 'Other' },
  beforeShellExecution: { event: 'PreToolUse', ...NPM_TEST },
  postToolUseFailure: { event: 'PostToolUseFailure', call: 'tool_SYNTH01', ...NPM_TEST },
  'postToolUseFailure-permission_denied': {
    event: 'PostToolUseFailure',
    call: 'tool_SYNTH02',
    tool: 'Shell',
    digest: digestOf('{"command":"rm -rf dist"}'),
  },
  preCompact: { event: 'Other' },
  preToolUse: { event: 'PreToolUse', call: 'tool_SYNTH01', ...NPM_TEST },
  'sessionEnd-aborted': { event: 'SessionEnd', reason: 'aborted' },
  'sessionEnd-error': { event: 'SessionEnd', reason: 'error' },
  'sessionEnd-user_close': { event: 'SessionEnd', reason: 'user_close' },
  'sessionEnd-window_close': { event: 'SessionEnd', reason: 'window_close' },
  sessionStart: { event: 'SessionStart' },
  'stop-completed': { event: 'Stop' },
  'stop-error': { event: 'StopFailure' },
  subagentStart: { event: 'SubagentStart', agent_id: 'sub-1', agent_type: 'explore' },
  subagentStop: { event: 'SubagentStop', agent_type: 'explore' },
};

const cursor = (event: string, fields: object = {}): CanonicalEvent =>
  eventOf('cursor', { hook_event_name: event, conversation_id: 'c1', ...fields });

describe("Cursor's adapter", () => {
  it('has a row for every example payload', () => {
    expect(Object.keys(PAYLOADS).sort()).toEqual(fixtureNames('cursor'));
  });

  it.each(Object.entries(PAYLOADS))('%s leaves exactly the fields that are allowed', (name, expected) => {
    const native = name.split('-')[0];
    expect(eventOf('cursor', fixture('cursor', name))).toEqual({ ...BASE, native, ...expected });
  });

  it.each([...CURSOR_EVENTS])('knows %s, as %s', (name, event) => {
    expect(cursor(name).event).toBe(event);
  });

  it('no event of it is ever a request: none says that it waits', () => {
    const means = new Set([...CURSOR_EVENTS.keys()].map((name) => cursor(name, { tool_name: 'x' }).event));
    for (const event of ['PermissionRequest', 'Elicitation', 'Notification'] as const)
      expect(means).not.toContain(event);
  });

  it.each([
    ['completed', 'Stop'],
    [undefined, 'Stop'],
    ['error', 'StopFailure'],
    ['aborted', 'Interrupt'],
    ['some-future-status', 'Interrupt'],
    [7, 'Interrupt'],
  ])('a stop that is %j is a %s', (status, event) => {
    expect(cursor('stop', { status }).event).toBe(event);
  });

  it.each([
    ['the conversation', { conversation_id: 'c1', session_id: 's1' }, 'c1'],
    ['the session, where no conversation is named', { conversation_id: undefined, session_id: 's1' }, 's1'],
    ['the session, where the conversation is no text', { conversation_id: 7, session_id: 's1' }, 's1'],
  ])('the session is %s', (_name, ids, session_id) => {
    expect(cursor('stop', ids).session_id).toBe(session_id);
  });

  it('a subagent’s start is told of its parent’s session', () => {
    const start = cursor('subagentStart', { parent_conversation_id: 'parent', subagent_id: 'a1' });
    expect(start).toMatchObject({ session_id: 'parent', agent_id: 'a1' });
    expect(cursor('stop', { parent_conversation_id: 'parent', subagent_id: 'a1' })).toEqual({
      v: 1,
      event: 'Stop',
      provider: 'cursor',
      session_id: 'c1',
      host: 'studio',
      native: 'stop',
    });
    expect(cursor('subagentStart').session_id).toBe('c1');
  });

  it.each([
    ['its workspace, wherever the tool runs', { workspace_roots: ['/w', '/x'], cwd: '/w/sub' }, '/w'],
    ['where the tool runs, without a workspace', { workspace_roots: [], cwd: '/w/sub' }, '/w/sub'],
    ['where the tool runs, with a workspace of another kind', { workspace_roots: '/w', cwd: '/s' }, '/s'],
    ['a Windows workspace', { workspace_roots: ['/c:/Users/dev/shop'] }, '/c:/Users/dev/shop'],
  ])('the project is %s', (_name, fields, cwd) => {
    expect(cursor('preToolUse', fields).cwd).toBe(cwd);
  });

  it('a shell’s own events and the tool’s are of the same call', () => {
    const tool = { tool_name: 'Shell', tool_input: { command: 'ls' } };
    const { digest } = cursor('preToolUse', tool);
    expect(cursor('beforeShellExecution', { command: 'ls' })).toMatchObject({ tool: 'Shell', digest });
    expect(cursor('afterShellExecution', { command: 'ls', output: 'x' })).toMatchObject({
      event: 'PostToolUse',
      tool: 'Shell',
      digest,
    });
  });

  it('an edit inside an editor’s tab is no session’s', () => {
    const tab = { hook_event_name: 'afterTabFileEdit', file_path: '/w/a.ts' };
    expect(adapted('cursor', tab)).toMatchObject({ ok: false, code: 'no_identity' });
  });
});
