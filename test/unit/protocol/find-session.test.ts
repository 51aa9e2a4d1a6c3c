import { describe, expect, it } from 'vitest';
import type { SignalboxError } from '../../../protocol/errors.ts';
import { findSessions } from '../../../protocol/find-session.ts';

const SESSIONS = [
  { key: '00aa11bb22cc', session_id: 'deploy', provider: 'claude', project: 'shop' },
  { key: '00ab11bb22cc', session_id: 'deploy-2', provider: 'codex', project: 'docs' },
  { key: 'ffab11bb22cc', session_id: '7b1e', provider: 'codex', project: 'web-shop' },
];

function thrown(wanted: Parameters<typeof findSessions>[1], sessions = SESSIONS): SignalboxError {
  try {
    findSessions(sessions, wanted);
  } catch (error) {
    return error as SignalboxError;
  }
  throw new Error('it found one');
}

describe('a session is named by', () => {
  it.each([
    ['the beginning of its key', { session: '00aa' }, ['deploy']],
    ['its key', { session: 'ffab11bb22cc' }, ['7b1e']],
    ['the beginning of its id', { session: '7b' }, ['7b1e']],
    ['its whole id, though another one begins with it', { session: 'deploy' }, ['deploy']],
    ['a beginning that is unique among one agent’s', { session: '00', provider: 'codex' }, ['deploy-2']],
    ['nothing: all', {}, ['deploy', 'deploy-2', '7b1e']],
    ['its agent: all of it', { provider: 'codex' }, ['deploy-2', '7b1e']],
    ['an agent without any', { provider: 'amp' }, []],
  ])('%s', (_what, wanted, ids) => {
    expect(findSessions(SESSIONS, wanted).map(({ session_id }) => session_id)).toEqual(ids);
  });
});

describe('what fits none or several', () => {
  it('names those that there are, the perhaps meant ones first', () => {
    expect(thrown({ session: 'web' })).toMatchObject({
      code: 'no_such_session',
      message:
        'No session fits "web": there are ffab11bb22cc (codex, web-shop), 00aa11bb22cc (claude, shop), 00ab11bb22cc (codex, docs).',
    });
    expect(thrown({ session: '0', provider: 'amp' }).message).toBe('No session fits "0": there is none.');
  });

  it('names those that fit', () => {
    expect(thrown({ session: '00a' })).toMatchObject({
      code: 'ambiguous_session',
      message: '"00a" fits more than one session: 00aa11bb22cc (claude, shop), 00ab11bb22cc (codex, docs).',
    });
  });

  it('names a few of many', () => {
    const many = [...Array(9).keys()].map(
      (index) => ({ ...SESSIONS[0], key: `0${index}` }) as (typeof SESSIONS)[0],
    );
    expect(thrown({ session: '0' }, many).message).toMatch(/03 \(claude, shop\), 5 more\.$/);
  });
});
