import { appendFileSync, chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import {
  runningSession,
  sessionFile,
  startAgent,
  startWatching,
  type Watching,
  writeSession,
} from '../../../support/watching.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A program in Claude's place, which can't be had here: it prints what a file holds, and notes each call. */
function claudeProgram(home: string) {
  const bin = join(home, 'bin');
  const [answer, calls] = [join(home, 'answer'), join(home, 'calls')];
  mkdirSync(bin);
  writeFileSync(calls, '');
  writeFileSync(answer, '[]');
  writeFileSync(
    join(bin, 'claude'),
    `#!/bin/sh\necho "$@ $CLAUDE_CONFIG_DIR" >> '${calls}'\ncat '${answer}'\n`,
  );
  chmodSync(join(bin, 'claude'), 0o755);
  return {
    path: `relative:${join(home, 'none')}:${bin}:/bin:/usr/bin`,
    calls: () => readFileSync(calls, 'utf8').split('\n').slice(0, -1),
    answers: (...list: object[]) => writeFileSync(answer, JSON.stringify(list)),
    fails: () => writeFileSync(answer, 'error: unknown command'),
  };
}

const LISTED = { cwd: '/srv/shop', kind: 'interactive', startedAt: 1 };
let hooks = 0;

/** Something has been heard of the session. */
function hook({ sources }: Watching, id = 's1', fields: Parameters<typeof runningSession>[1] = {}): void {
  hooks += 1;
  sources.changed(new Map([[id, runningSession(id, fields, { last_hook_at: hooks })]]));
}

it('where there are no session files, the command is asked after a hook, and its word taken back when it fails', async () => {
  const home = temporaryFolder();
  const program = claudeProgram(home);
  const agent = startAgent();
  const watching = await startWatching({
    only: ['claude_sessions', 'claude_agents'],
    home,
    path: program.path,
  });
  expect(watching.state('claude_agents')).toMatchObject({ on: true });
  program.answers({
    ...LISTED,
    sessionId: 's1',
    status: 'waiting',
    waitingFor: 'permission prompt',
    pid: agent.pid,
  });
  hook(watching);
  hook(watching);
  await watching.heard('s1 waiting (permission prompt)');
  expect(program.calls()).toEqual([`agents --json ${watching.claude}`]);
  program.answers({ ...LISTED, sessionId: 's2', status: 'idle', pid: agent.pid });
  hook(watching);
  await watching.heard('s1 gone');
  await watching.heard('s2 idle');
  program.fails();
  hook(watching);
  await watching.heard('s2 withdrawn');
});

it('as soon as there are session files they stand alone', async () => {
  const home = temporaryFolder();
  const program = claudeProgram(home);
  const agent = startAgent();
  const watching = await startWatching({
    only: ['claude_sessions', 'claude_agents', 'claude_transcript'],
    home,
    path: program.path,
  });
  program.answers({ ...LISTED, sessionId: 's1', status: 'busy', pid: agent.pid });
  hook(watching);
  await watching.heard('s1 busy');
  writeSession(watching.claude, `${agent.pid}.json`, sessionFile(agent, { status: 'idle' }));
  hook(watching);
  await watching.heard('s1 withdrawn');
  await watching.heard('s1 idle');
  for (const name of ['claude_agents', 'claude_transcript'])
    expect(watching.state(name)).toMatchObject({
      on: false,
      why: expect.stringContaining('not needed') as string,
    });
});

it('at the start the command confirms the files: where it lists what has none, they can’t be used', async () => {
  const home = temporaryFolder();
  const program = claudeProgram(home);
  const [agent, other] = [startAgent(), startAgent()];
  writeSession(join(home, '.claude'), `${agent.pid}.json`, sessionFile(agent));
  program.answers(
    { ...LISTED, sessionId: 's1', status: 'busy', pid: agent.pid },
    { ...LISTED, sessionId: 's2', status: 'busy', pid: other.pid },
  );
  const watching = await startWatching({
    only: ['claude_sessions', 'claude_agents'],
    home,
    path: program.path,
  });
  await watching.heard('s1 withdrawn');
  expect(watching.state('claude_sessions')).toMatchObject({
    on: false,
    why: expect.stringContaining('no file') as string,
  });
  await until(() => watching.state('claude_agents').on);
});

it('without the command it is off', async () => {
  const { state } = await startWatching({ only: ['claude_agents'], path: '/nowhere' });
  expect(state('claude_agents')).toMatchObject({ on: false, why: 'claude is not on the PATH' });
});

it('Esc is seen in the transcript that a hook has named, from its end, in Claude’s own folder alone', async () => {
  const home = temporaryFolder();
  const program = claudeProgram(home);
  const watching = await startWatching({
    only: ['claude_agents', 'claude_transcript'],
    home,
    path: program.path,
  });
  const folder = join(watching.claude, 'projects', 'shop');
  mkdirSync(folder, { recursive: true });
  const mark = (sessionId: string): string =>
    `${JSON.stringify({ type: 'user', message: { content: [{ type: 'text', text: '[Request interrupted by user] the canary sings' }] }, timestamp: new Date().toISOString(), sessionId })}\n`;
  const [own, away, link] = [join(folder, 's1.jsonl'), join(home, 'away.jsonl'), join(folder, 'link.jsonl')];
  writeFileSync(own, mark('s1'));
  writeFileSync(away, '');
  symlinkSync(away, link);
  hook(watching, 'away', { transcript: away });
  hook(watching, 'link', { transcript: link });
  hook(watching, 's1', { transcript: own });
  appendFileSync(away, mark('away') + mark('link'));
  appendFileSync(own, `${mark('s2')}{"half`);
  appendFileSync(own, `\n${mark('s1')}`);
  await until(() => watching.events.length > 0);
  expect(watching.events).toEqual([
    {
      v: 1,
      event: 'Interrupt',
      provider: 'claude',
      session_id: 's1',
      sent_at: expect.any(Number) as number,
      enveloped: true,
    },
  ]);
  expect(watching.log()).not.toContain('canary');
});
