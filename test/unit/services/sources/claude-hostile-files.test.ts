import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { sessionFile, startAgent, startWatching, writeSession } from '../../../support/watching.ts';

vi.setConfig({ testTimeout: 60_000 });

const only = ['claude_sessions'] as const;
const NAME = 'claude_sessions';

describe('what does not count', () => {
  it.each<[string, (agent: ReturnType<typeof startAgent>, claude: string) => void]>([
    [
      'a file of a process that was killed',
      (_agent, claude) =>
        writeSession(
          claude,
          '999999999.json',
          sessionFile({ pid: 999_999_999, start: '1' }, { sessionId: 'bad' }),
        ),
    ],
    [
      'of an earlier process with the same id',
      (agent, claude) =>
        writeSession(
          claude,
          `${agent.pid}.json`,
          sessionFile({ ...agent, start: '1' }, { sessionId: 'bad' }),
        ),
    ],
    [
      'that names the first process',
      (_agent, claude) =>
        writeSession(claude, '1.json', sessionFile({ pid: 1, start: '77' }, { sessionId: 'bad' })),
    ],
    [
      'that names this very process',
      (_agent, claude) =>
        writeSession(
          claude,
          `${process.pid}.json`,
          sessionFile({ pid: process.pid, start: '' }, { sessionId: 'bad', procStart: undefined }),
        ),
    ],
    ['garbage', (agent, claude) => writeSession(claude, `${agent.pid}.json`, '{"pid": 1, \u0000')],
    ['empty', (agent, claude) => writeSession(claude, `${agent.pid}.json`, '')],
    [
      'far too large',
      (agent, claude) =>
        writeSession(
          claude,
          `${agent.pid}.json`,
          sessionFile(agent, { sessionId: 'bad', name: 'x'.repeat(3_000_000) }),
        ),
    ],
    [
      'a folder',
      (agent, claude) => mkdirSync(join(claude, 'sessions', `${agent.pid}.json`), { recursive: true }),
    ],
    [
      'a link',
      (agent, claude) => {
        writeSession(claude, 'real', sessionFile(agent, { sessionId: 'bad' }));
        symlinkSync('real', join(claude, 'sessions', `${agent.pid}.json`));
      },
    ],
    [
      'a pipe that nobody writes to',
      (agent, claude) => {
        mkdirSync(join(claude, 'sessions'), { recursive: true });
        execFileSync('mkfifo', [join(claude, 'sessions', `${agent.pid}.json`)]);
      },
    ],
    [
      'of another name',
      (agent, claude) => {
        for (const name of [
          `${agent.pid}.abc.key`,
          `${agent.pid}.json.bak`,
          `0${agent.pid}.json`,
          'x.json',
          '-1.json',
        ])
          writeSession(claude, name, sessionFile(agent, { sessionId: 'bad', canary: 'the canary sings' }));
      },
    ],
  ])('%s', async (_what, make) => {
    const home = temporaryFolder();
    const claude = join(home, '.claude');
    const [hostile, good] = [startAgent(), startAgent()];
    make(hostile, claude);
    writeSession(claude, `${good.pid}.json`, sessionFile(good));
    const { words, heard, state, log } = await startWatching({ only, home });
    expect(words).toEqual(['s1 busy late']);
    writeSession(claude, `${good.pid}.json`, sessionFile(good, { status: 'idle' }));
    await heard('s1 idle');
    expect([words.filter((word) => word.startsWith('bad')), state(NAME).on]).toEqual([[], true]);
    expect(log()).not.toContain('canary');
  });

  it('thousands of files that were left behind hide none that counts', async () => {
    const home = temporaryFolder();
    const claude = join(home, '.claude');
    for (let at = 0; at < 3000; at += 1)
      writeSession(
        claude,
        `${900_000_000 + at}.json`,
        sessionFile({ pid: at, start: '1' }, { sessionId: `old${at}` }),
      );
    const agent = startAgent();
    writeSession(claude, `${agent.pid}.json`, sessionFile(agent));
    const { words, heard, state } = await startWatching({ only, home });
    expect(words).toEqual(['s1 busy late']);
    rmSync(join(claude, 'sessions', `${agent.pid}.json`));
    await heard('s1 gone');
    expect(state(NAME).watched).toBe(0);
  });

  it('a client in another container is believed, but its process is not ours to look at', async () => {
    const home = temporaryFolder();
    writeSession(
      join(home, '.claude'),
      '7.json',
      sessionFile({ pid: 7, start: '1' }, { pidDomain: 'linux:0:pid:[1]' }),
    );
    const { words } = await startWatching({ only, home });
    expect(words).toEqual(['s1 busy late']);
  });
});
