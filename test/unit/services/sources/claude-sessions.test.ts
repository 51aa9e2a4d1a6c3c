import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../../protocol/session.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import {
  runningSession,
  sessionFile,
  startAgent,
  startWatching,
  writeSession,
} from '../../../support/watching.ts';

vi.setConfig({ testTimeout: 60_000 });

const only = ['claude_sessions'] as const;
const NAME = 'claude_sessions';

/** A running Claude with its file, and the source that has read it. */
async function watchedAgent(more: object = {}) {
  const agent = startAgent();
  const home = temporaryFolder();
  const claude = join(home, '.claude');
  const write = (changes: object, of = agent): void =>
    writeSession(claude, `${of.pid}.json`, sessionFile(of, changes));
  write(more);
  const watching = await startWatching({ only, home });
  return { ...watching, agent, write, path: join(claude, 'sessions', `${agent.pid}.json`) };
}

describe('what the client says of itself', () => {
  it('is told when it changes, once; what was there at the start is not live', async () => {
    const { write, words, heard, state } = await watchedAgent({ statusUpdatedAt: 1000 });
    expect(words).toEqual(['s1 busy late']);
    write({ status: 'waiting', waitingFor: 'permission prompt' });
    await heard('s1 waiting (permission prompt)');
    write({ status: 'idle', statusUpdatedAt: 2000 });
    await heard('s1 idle');
    // Something else in it has changed.
    write({ status: 'idle', statusUpdatedAt: 2000, name: 'shop' });
    write({ status: 'shell' });
    await heard('s1 shell');
    expect(words.slice(1)).toEqual(['s1 waiting (permission prompt)', 's1 idle', 's1 shell']);
    expect(state(NAME)).toMatchObject({ on: true, watched: 1, last_at: expect.any(Number) as number });
  });

  it('a file that is removed: the session is gone', async () => {
    const { path, heard } = await watchedAgent();
    rmSync(path);
    await heard('s1 gone');
  });

  it('another session in the same process: the first is gone, unless another process has it', async () => {
    const { write, heard, words } = await watchedAgent();
    write({ sessionId: 's2' });
    await heard('s1 gone');
    await heard('s2 busy');
    const other = startAgent();
    write({ sessionId: 's2' }, other);
    await heard('s2 busy');
    write({ sessionId: 's3' });
    await heard('s3 busy');
    expect(words.filter((word) => word.startsWith('s2'))).not.toContain('s2 gone');
  });

  it('a file written in two halves is read when it is whole', async () => {
    const { path, agent, words, heard, state } = await watchedAgent();
    const text = sessionFile(agent, { status: 'idle' });
    writeFileSync(path, text.slice(0, 100));
    writeFileSync(path, text);
    await heard('s1 idle');
    expect(words).toEqual(['s1 busy late', 's1 idle']);
    expect(state(NAME).on).toBe(true);
  });

  it('a file that is replaced by another is no exit', async () => {
    const { path, agent, words, heard } = await watchedAgent();
    writeFileSync(`${path}.new`, sessionFile(agent, { status: 'idle' }));
    renameSync(`${path}.new`, path);
    await heard('s1 idle');
    expect(words).not.toContain('s1 gone');
  });
});

describe('where it can not be used it is off, and takes back what it said', () => {
  it('killed: the file that is left behind supports nothing', async () => {
    const { agent, path, heard, words } = await watchedAgent();
    await agent.kill();
    writeFileSync(path, sessionFile(agent, { status: 'waiting' }));
    await heard('s1 withdrawn');
    expect(words).toEqual(['s1 busy late', 's1 withdrawn']);
  });

  it('a shape that is not known: off, with its version, until that client is gone', async () => {
    const { claude, heard, state } = await watchedAgent();
    const newer = startAgent();
    writeSession(claude, `${newer.pid}.json`, sessionFile(newer, { version: '9.0.0', status: 'pondering' }));
    await heard('s1 withdrawn');
    expect(state(NAME)).toMatchObject({ on: false, why: expect.stringContaining('9.0.0') as string });
    rmSync(join(claude, 'sessions', `${newer.pid}.json`));
    await heard('s1 busy');
    expect(state(NAME).on).toBe(true);
  });

  it('no folder: off, and on as soon as there is one', async () => {
    const home = temporaryFolder();
    const { state, sources, heard, claude } = await startWatching({ only, home });
    expect(state(NAME)).toMatchObject({ on: false, why: 'Claude Code keeps no session files here' });
    const agent = startAgent();
    writeSession(claude, `${agent.pid}.json`, sessionFile(agent));
    // A hook of a Claude that nobody knew of.
    sources.changed(new Map([['s1', runningSession('s1')]]));
    await heard('s1 busy');
    expect(state(NAME).on).toBe(true);
  });

  it('the folder vanishes, and is made again', async () => {
    const { claude, agent, heard, state, sources } = await watchedAgent();
    rmSync(join(claude, 'sessions'), { recursive: true });
    await until(() => !state(NAME).on);
    writeSession(claude, `${agent.pid}.json`, sessionFile(agent, { status: 'idle' }));
    sources.changed(new Map([['s1', runningSession('s1')]]));
    await heard('s1 idle');
    writeSession(claude, `${agent.pid}.json`, sessionFile(agent, { status: 'shell' }));
    await heard('s1 shell');
  });

  it.each<[string, (claude: string) => void, string]>([
    [
      'a file in its place',
      (claude) => writeFileSync(join(claude, 'sessions'), ''),
      'Claude Code keeps no session files here',
    ],
    ['a link', (claude) => symlinkSync('/tmp', join(claude, 'sessions')), "its folder can't be read (ELOOP)"],
  ])('%s', async (_what, make, why) => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.claude'));
    make(join(home, '.claude'));
    const { state } = await startWatching({ only, home });
    expect(state(NAME)).toMatchObject({ on: false, why });
  });

  it('turned off by the settings', async () => {
    const known = { status: { value: 'busy', at: 1, seen_at: 1 } } as const;
    const sessions = [
      runningSession('s1', {}, known),
      runningSession('codex', { provider: 'codex' }, known),
      runningSession('far', { host: 'laptop' }, known),
      runningSession('s2'),
    ];
    const { words, state } = await startWatching({ only: [], sessions });
    expect(words).toEqual(['s1 withdrawn late']);
    expect(state(NAME)).toMatchObject({ on: false, why: 'the settings turn it off' });
  });
});

describe('after a restart of the hub, a session that was known by its status', () => {
  const status: Partial<Session> = { status: { value: 'busy', at: 1, seen_at: 1 } };
  type Agent = ReturnType<typeof startAgent>;

  it.each<[string, (agent: Agent, claude: string) => void | Promise<void>, string[]]>([
    [
      'goes on',
      (agent, claude) => writeSession(claude, `${agent.pid}.json`, sessionFile(agent)),
      ['s1 busy late'],
    ],
    ['has ended', (agent) => agent.kill(), ['s1 gone late']],
    [
      'was killed',
      async (agent, claude) => {
        writeSession(claude, `${agent.pid}.json`, sessionFile(agent));
        await agent.kill();
      },
      ['s1 withdrawn late'],
    ],
    [
      'has made room for another',
      (agent, claude) => writeSession(claude, `${agent.pid}.json`, sessionFile(agent, { sessionId: 's2' })),
      ['s2 busy late', 's1 gone late'],
    ],
    ['runs, and keeps no file', () => undefined, ['s1 withdrawn late']],
  ])('%s', async (_what, make, told) => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.claude', 'sessions'), { recursive: true });
    const agent = startAgent();
    await make(agent, join(home, '.claude'));
    const sessions = [runningSession('s1', { pid: agent.pid }, status)];
    const { words } = await startWatching({ only, home, sessions });
    expect(words).toEqual(told);
  });
});
