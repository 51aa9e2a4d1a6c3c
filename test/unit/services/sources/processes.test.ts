import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { KnownProcess, Session } from '../../../../protocol/session.ts';
import { processScope } from '../../../../runtime/process-start.ts';
import { runningSession, startAgent, startWatching } from '../../../support/watching.ts';

vi.setConfig({ testTimeout: 60_000 });

const only = ['process'] as const;

function changed(session: Session): ReadonlyMap<string, Session> {
  return new Map([[session.session_id, session]]);
}

function known(agent: { readonly pid: number; readonly start: string }): KnownProcess {
  return { ...agent, scope: processScope() };
}

/** A program of Node's with further words on its command line. */
function startProgram(
  script: string,
  words: readonly string[] = [],
): ChildProcessByStdio<null, Readable, null> {
  const agent = spawn(process.execPath, ['-e', script, '--', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(agent, 'close');
  onTestFinished(async () => {
    agent.kill('SIGKILL');
    await ended;
  });
  return agent;
}

it('a process is told of when it is first seen, and when it is killed', async () => {
  const agent = startAgent();
  const { sources, words, heard, state } = await startWatching({ only });
  sources.changed(changed(runningSession('s1', { pid: agent.pid })));
  expect(words).toEqual(['s1 alive']);
  expect(state('process')).toMatchObject({ on: true, watched: 1 });
  await agent.kill();
  await heard('s1 dead');
  expect(words).toEqual(['s1 alive', 's1 dead']);
});

it('what is idle, or another machine’s is left alone; so is a process that was never seen', async () => {
  const agents = { idle: startAgent(), far: startAgent(), last: startAgent() };
  const gone = startAgent();
  await gone.kill();
  const sessions = [
    runningSession('idle', { pid: agents.idle.pid }, { state: 'idle' }),
    runningSession('far', { pid: agents.far.pid, host: 'laptop' }),
    runningSession('unseen', { pid: gone.pid }),
    runningSession('last', { pid: agents.last.pid }),
  ];
  const { words, heard } = await startWatching({ only, sessions });
  for (const agent of Object.values(agents)) await agent.kill();
  await heard('last dead');
  expect(words).toEqual(['idle alive', 'last alive', 'last dead']);
});

it.each<[string, (agent: KnownProcess) => Partial<KnownProcess>, string[]]>([
  ['another process has its id by now', ({ start }) => ({ start: `${Number(start) - 1}` }), ['s1 dead late']],
  [
    'the machine has been restarted',
    ({ scope }) => ({ scope: `0000-0000 ${scope.split(' ')[1]}` }),
    ['s1 dead late'],
  ],
  ['it was seen from another container', ({ scope }) => ({ scope: `${scope.split(' ')[0]} pid:[1]` }), []],
  ['it runs on', () => ({}), []],
])('after a restart of the hub: %s', async (_what, change, told) => {
  const agent = startAgent();
  const process = { ...known(agent), ...change(known(agent)) };
  const { words } = await startWatching({
    only,
    sessions: [runningSession('s1', { pid: agent.pid }, { process })],
  });
  expect(words).toEqual(told);
});

it('a session that goes on in another process is not found dead with the first', async () => {
  const first = startAgent();
  const second = startAgent();
  const { sources, words, heard } = await startWatching({ only });
  sources.changed(changed(runningSession('s1', { pid: first.pid })));
  sources.changed(changed(runningSession('s1', { pid: second.pid })));
  await first.kill();
  await second.kill();
  await heard('s1 dead');
  expect(words).toEqual(['s1 alive', 's1 alive', 's1 dead']);
});

it.each([
  ['its own process', ['--no-daemon'], ['s1 alive', 's1 dead']],
  // That it lives says nothing of the session; its end ends all that it ran.
  ['its daemon', ['app-server', '--listen', 'unix://'], ['s1 dead']],
])('Codex by %s', async (_what, words, told) => {
  const agent = startProgram('setInterval(() => {}, 1000)', words);
  const watching = await startWatching({ only });
  watching.sources.changed(changed(runningSession('s1', { provider: 'codex', ppid: agent.pid as number })));
  agent.kill('SIGKILL');
  await watching.heard('s1 dead');
  expect(watching.words).toEqual(told);
});

it('an agent that does not name itself is found above the shells that its hooks run in', async () => {
  const agent = startProgram(
    `require('node:child_process').spawn('sh', ['-c', 'echo $$; read x; true'], { stdio: ['pipe', 'inherit', 'inherit'] }); setInterval(() => {}, 1000)`,
  );
  const [line] = (await once(agent.stdout, 'data')) as [Buffer];
  const ppid = Number(line.toString());
  expect(ppid).not.toBe(agent.pid);
  const { sources, words, heard } = await startWatching({ only });
  const session = runningSession('s1', { provider: 'gemini', ppid });
  sources.changed(changed(session));
  expect(words).toEqual(['s1 alive']);
  // The shells of later hooks say nothing new.
  sources.changed(changed({ ...session, ppid: 1 }));
  agent.kill('SIGKILL');
  await heard('s1 dead');
  expect(words).toEqual(['s1 alive', 's1 dead']);
});

it('a hook that was spooled names a process that has its id only by now: it is not taken for the agent', async () => {
  const agent = startAgent();
  const { words } = await startWatching({
    only,
    sessions: [runningSession('s1', { pid: agent.pid }, { updated_at: Date.now() - 3_600_000 })],
  });
  expect(words).toEqual([]);
});

it('turned off by the settings, it takes back what an earlier run has told', async () => {
  const agent = startAgent();
  const sessions = [
    runningSession('s1', { pid: agent.pid }, { process: known(agent) }),
    runningSession('s2'),
  ];
  const { words, state } = await startWatching({ only: [], sessions });
  expect(words).toEqual(['s1 unwatched late']);
  expect(state('process')).toEqual({
    name: 'process',
    on: false,
    why: 'the settings turn it off',
    watched: 0,
  });
});
