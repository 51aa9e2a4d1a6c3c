import { describe, expect, it } from 'vitest';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { adapted, digestOf, eventOf, fixture } from '../../../support/adapting.ts';

const SESSION = 'ses_SYNTH0001';
const BASE = { v: 1, provider: 'opencode', host: 'studio', session_id: SESSION } as const;

function event(type: string, properties: object, more: object = {}): CanonicalEvent {
  return eventOf('opencode', { type, properties: { sessionID: SESSION, ...properties }, ...more });
}

function hook(name: string, payload: object): CanonicalEvent {
  return eventOf('opencode', { v: 1, event: name, hook: { sessionID: SESSION, ...payload } });
}

describe('an OpenCode event', () => {
  it('names itself, has an id of its own, and tells of its session', () => {
    const info = { id: SESSION, directory: '/home/dev/shop', title: 'the canary sings' };
    const created = { id: 'evt_1', type: 'session.created', properties: { info } };
    const told = {
      ...BASE,
      event: 'SessionStart',
      cwd: '/home/dev/shop',
      id: 'evt_1',
      native: 'session.created',
    };
    expect(eventOf('opencode', created)).toEqual(told);
    // What stands beside it (`event`, in the sender's envelope) is not its name.
    expect(eventOf('opencode', { v: 1, event: 'event', hook: created })).toEqual({
      ...told,
      enveloped: true,
    });
    expect(eventOf('opencode', created, { titles: true }).title).toBe('the canary sings');
  });

  it('of a child names the parent', () => {
    expect(eventOf('opencode', fixture('opencode', 'session.created-child'))).toMatchObject({
      session_id: 'ses_SYNTH0002',
      parent_id: SESSION,
    });
    expect(event('session.status', { status: { type: 'busy' } }, { parentID: 'ses_p' }).parent_id).toBe(
      'ses_p',
    );
    // A message's parent is a message.
    const message = { id: 'msg_2', parentID: 'msg_1', sessionID: SESSION };
    expect(eventOf('opencode', { type: 'message.updated', properties: { info: message } })).toEqual({
      ...BASE,
      event: 'Other',
      native: 'message.updated',
    });
  });

  it.each([
    ['busy', 'UserPromptSubmit'],
    ['retry', 'UserPromptSubmit'],
    ['idle', 'Stop'],
    ['something new', 'Other'],
  ])('status %s is %s', (type, name) => {
    expect(event('session.status', { status: { type, message: 'the canary sings' } }).event).toBe(name);
  });

  it('busy is the client’s own word: it starts a turn and clears nothing', () => {
    expect(event('session.status', { status: { type: 'busy' } }).own_prompt).toBe(true);
    expect(hook('chat.message', { agent: 'build' })).not.toHaveProperty('own_prompt');
  });

  it.each([
    [{ name: 'MessageAbortedError', data: { message: 'the canary sings' } }, 'Interrupt', undefined],
    [{ name: 'APIError' }, 'StopFailure', 'APIError'],
    [{}, 'StopFailure', undefined],
    [undefined, 'StopFailure', undefined],
    ['text', 'StopFailure', undefined],
  ])('error %j is %s', (error, name, kind) => {
    const told = event('session.error', { error });
    expect([told.event, told.error]).toEqual([name, kind]);
  });

  it('of no session in particular is nobody’s, wherever the plugin runs', () => {
    const error = {
      type: 'session.error',
      properties: { error: { name: 'UnknownError' } },
      directory: '/home/dev/shop',
    };
    expect(adapted('opencode', error)).toMatchObject({ code: 'no_identity' });
  });

  it('says where it runs when the plugin does', () => {
    expect(event('session.idle', {}, { directory: '/home/dev/shop' }).cwd).toBe('/home/dev/shop');
  });

  it.each([
    ['permission.asked', { id: 'per_1', permission: 'bash', tool: { callID: 'call_1' } }, 'bash'],
    ['permission.v2.asked', { id: 'per_1', action: 'bash', source: { callID: 'call_1' } }, 'bash'],
    [
      'permission.updated',
      { id: 'per_1', type: 'bash', callID: 'call_1', title: 'the canary sings' },
      'bash',
    ],
    [
      'question.asked',
      { id: 'per_1', questions: [{ question: 'the canary sings' }], tool: { callID: 'call_1' } },
      'ask_user',
    ],
  ])('%s is keyed by its request’s id, and names its call', (type, properties, tool) => {
    expect(event(type, properties)).toEqual({
      ...BASE,
      event: 'PermissionRequest',
      request: 'per_1',
      call: 'call_1',
      tool,
      native: type,
    });
  });

  it.each([
    ['permission.replied', { requestID: 'per_1', reply: 'once' }, 'PostToolUse', 'once'],
    ['permission.replied', { requestID: 'per_1', reply: 'reject' }, 'PermissionDenied', 'reject'],
    ['permission.v2.replied', { requestID: 'per_1', reply: 'reject' }, 'PermissionDenied', 'reject'],
    ['permission.replied', { permissionID: 'per_1', response: 'always' }, 'PostToolUse', 'always'],
    ['question.replied', { requestID: 'per_1', answers: [['the canary sings']] }, 'PostToolUse', undefined],
    ['question.rejected', { requestID: 'per_1' }, 'PostToolUse', undefined],
  ])('%s %j answers the request of that id', (type, properties, name, outcome) => {
    expect(event(type, properties)).toEqual({
      ...BASE,
      event: name,
      request: 'per_1',
      native: type,
      ...(outcome !== undefined && { outcome }),
    });
  });

  it('without its properties, or with others than are known, says nothing', () => {
    expect(adapted('opencode', { type: 'session.idle', properties: null })).toMatchObject({
      code: 'unknown_event',
    });
    expect(event('session.status', { status: 'busy' }).event).toBe('Other');
    expect(event('something.new', {})).toMatchObject({ event: 'Other', native: 'something.new' });
  });
});

describe('an OpenCode hook', () => {
  it.each([
    ['tool.execute.before', 'PreToolUse'],
    ['tool.execute.after', 'PostToolUse'],
  ])('%s tells of its call', (name, canonical) => {
    const told = hook(name, {
      tool: 'bash',
      callID: 'call_1',
      args: { command: 'ls' },
      title: 'the canary sings',
    });
    expect(told).toEqual({
      ...BASE,
      event: canonical,
      tool: 'bash',
      call: 'call_1',
      digest: digestOf('{"command":"ls"}'),
      native: name,
      enveloped: true,
    });
  });

  it('chat.message is a prompt of the user’s', () => {
    expect(hook('chat.message', { agent: 'build' })).toMatchObject({
      event: 'UserPromptSubmit',
      session_id: SESSION,
    });
  });

  it('that tells of no session is nobody’s', () => {
    const init = { v: 1, event: 'plugin-init', hook: { directory: '/home/dev/shop' } };
    expect(adapted('opencode', init)).toMatchObject({ code: 'no_identity' });
  });
});
