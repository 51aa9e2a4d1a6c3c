import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PLUGIN_AGENTS } from '../../hooks/installers/agents.ts';
import { pluginText } from '../../hooks/installers/plugin-file.ts';
import { CANARY } from '../support/canary.ts';
import { type PluginProcess, startPluginProcess } from '../support/plugin-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 300_000 });

/** What stands for the sender here: it writes down what it is handed, `arguments: standard input`, a line a call. */
const RECORDER = 'IFS= read -r text; printf "%s: %s\\n" "$*" "$text" >> log';

interface Trial {
  readonly agent: PluginProcess;
  readonly folder: string;
  /** What the sender was handed so far. */
  log(): string[];
}

function start(provider: string, sender: string | undefined): Trial {
  const folder = temporaryFolder();
  const script = join(folder, 'sender');
  if (sender !== undefined) {
    writeFileSync(script, `#!/bin/sh\ncd "\${0%/*}"\n${sender}\n`);
    chmodSync(script, 0o755);
  }
  const form = PLUGIN_AGENTS.find((agent) => agent.provider === provider)?.plugin ?? { events: [] };
  const source = readFileSync(new URL(`../../dist/hooks/plugins/${provider}.js`, import.meta.url), 'utf8');
  const path = join(folder, 'plugin.mjs');
  writeFileSync(path, pluginText(provider, form, source, [script]));
  const log = join(folder, 'log');
  return {
    agent: startPluginProcess(path, folder),
    folder,
    log: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []),
  };
}

/** For each agent: an event that a number can be told from again, as a handler's name and what it is handed (in JavaScript, of `n`). */
const AGENTS = [
  [
    'opencode',
    'event',
    '{ event: { id: `n${n}`, type: "session.idle", properties: { sessionID: `s${n}` } } }',
  ],
  ['amp', 'tool.call', '{ thread: { id: `s${n}` }, tool: "Bash", toolUseID: `n${n}` }'],
] as const;

describe.each(AGENTS)('the plugin of %s', (provider, handler, event) => {
  const flood = (many: number): string =>
    `(async () => { for (let n = 1; n <= ${many}; n += 1) await handlers[${JSON.stringify(handler)}](${event}); })()`;

  it('hands events over one by one, in order', async () => {
    const { agent, log } = start(provider, RECORDER);
    await agent.run(flood(40));
    await until(() => log().length === 40);
    expect(log().map((line) => Number(/"s(\d+)"/.exec(line)?.[1]))).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    expect(log().every((line) => line.startsWith(`${provider}: {`))).toBe(true);
    expect([await agent.end(), agent.output()]).toEqual([0, '']);
  });

  it('waits for no sender, keeps no more than it must, and the newest', async () => {
    const gate = 'echo >> started; until [ -e open ]; do sleep 0.02; done';
    const { agent, folder, log } = start(provider, `${gate}; ${RECORDER}`);
    await agent.run(flood(2_000));
    await until(() => existsSync(join(folder, 'started')));
    writeFileSync(join(folder, 'open'), '');
    await until(() => log().at(-1)?.includes('"s2000"') === true);
    const told = log().map((line) => Number(/"s(\d+)"/.exec(line)?.[1]));
    expect(told.length).toBeLessThan(150);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect([await agent.end(), agent.output()]).toEqual([0, '']);
  });

  it('starts one sender at a time, and is not kept from ending by one that hangs', async () => {
    const { agent, folder } = start(provider, 'echo $$ >> started; exec sleep 1000');
    const pids = (): string[] => readFileSync(join(folder, 'started'), 'utf8').trim().split('\n');
    onTestFinished(() => pids().forEach((pid) => killIfThere(Number(pid))));
    await agent.run(flood(20));
    await until(() => existsSync(join(folder, 'started')) && pids().length >= 1);
    const running = pids().filter((pid) => existsSync(`/proc/${pid}`) && statusOf(pid) !== 'Z');
    expect(running.length).toBeLessThanOrEqual(1);
    expect([await agent.end(), agent.output()]).toEqual([0, '']);
  });

  it('gives up a sender that hangs, and goes on', async () => {
    const { agent, folder, log } = start(
      provider,
      `[ -e hung ] || { echo > hung; exec sleep 1000; }; ${RECORDER}`,
    );
    await agent.run(flood(3));
    await until(() => log().length === 2);
    expect(existsSync(join(folder, 'hung'))).toBe(true);
    expect(log().at(-1)).toContain('"s3"');
  });

  it.each([
    ['is gone', undefined],
    ['fails', 'exit 3'],
    ['reads nothing', 'exec 0<&-; exit 0'],
    ['prints', 'cat > /dev/null; echo loud; echo loud >&2'],
  ])('is not to be heard when the sender %s', async (_, sender) => {
    const { agent } = start(provider, sender);
    await agent.run(flood(30));
    expect([await agent.end(), agent.output()]).toEqual([0, '']);
  });

  it('bears whatever it is handed', async () => {
    const { agent } = start(provider, RECORDER);
    const names = (await agent.run('Object.keys(handlers)')) as string[];
    expect(names.length).toBeGreaterThan(3);
    const hostile = [
      ...[
        'undefined',
        'null',
        '7',
        '"text"',
        '[]',
        '[[]]',
        '{}',
        '{ event: null }',
        '{ event: { type: {} } }',
      ],
      ...['{ event: { type: "session.idle", properties: 7 } }', '{ thread: 7 }', '{ thread: { id: {} } }'],
      '{ event: { type: "session.created", properties: { info: [] } } }',
      '{ event: { type: "session.idle", properties: { sessionID: "x".repeat(10_000_000) } } }',
      '{ get event() { throw new Error("no") }, get thread() { throw new Error("no") }, get sessionID() { throw new Error("no") } }',
      'new Proxy({}, { get() { throw new Error("no") }, has() { throw new Error("no") } })',
      '(() => { const own = { type: "session.idle" }; own.event = own; own.properties = own; own.thread = own; return own; })()',
    ];
    for (const name of names)
      for (const told of hostile) {
        const answer = await agent.run(`handlers[${JSON.stringify(name)}](${told}, undefined)`);
        expect(name === 'tool.call' ? [{ action: 'allow' }] : [null, {}]).toContainEqual(answer);
      }
    expect([await agent.end(), agent.output()]).toEqual([0, '']);
  });

  it('lets no text out of the process', async () => {
    const { agent, log } = start(provider, RECORDER);
    const text = JSON.stringify(CANARY);
    const names = (await agent.run('Object.keys(handlers)')) as string[];
    const types = [
      'session.created',
      'session.status',
      'session.error',
      'permission.asked',
      'question.asked',
    ];
    for (const type of [...types, 'question.replied', 'permission.replied', 'message.updated', 'last'])
      for (const name of names)
        await agent.run(`handlers[${JSON.stringify(name)}]({
          sessionID: "s1", callID: "c1", tool: "bash", toolUseID: "c1", thread: { id: "s1", title: ${text} },
          args: { command: ${text} }, input: { command: ${text} }, output: ${text}, message: ${text}, messages: [${text}],
          event: { id: "e1", type: ${JSON.stringify(type === 'last' ? 'session.idle' : type)}, properties: {
            sessionID: ${JSON.stringify(type === 'last' ? 'last' : 's1')}, info: { id: "s1", title: ${text}, directory: "/w", summary: ${text} },
            status: { type: "retry", message: ${text} }, error: { name: "APIError", data: { message: ${text} }, message: ${text} },
            patterns: [${text}], metadata: { command: ${text} }, always: [${text}], title: ${text}, questions: [{ question: ${text} }],
            answers: [[${text}]], part: { text: ${text} }, message: ${text} } } }, { args: ${text}, output: ${text}, parts: [${text}] })`);
    await agent.run(`handlers[${JSON.stringify(handler)}](((n) => (${event}))("end"))`);
    await until(() => log().at(-1)?.includes('"send"') === true);
    expect(log().length).toBeGreaterThan(10);
    expect(log().filter((line) => line.includes(CANARY))).toEqual([]);
  });
});

function statusOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
  } catch {
    return undefined;
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

it.each([
  ['in order where the senders are quick', 'sleep 0.01', true],
  ['all at once after a second', 'sleep 0.4', false],
])(
  'the plugin of opencode sends what is still waiting when its client ends: %s',
  async (_how, pace, isOrdered) => {
    const { agent, log } = start('opencode', `${pace}; ${RECORDER}`);
    const [, handler, event] = AGENTS[0];
    const many = `for (let n = 1; n <= 12; n += 1) await handlers.${handler}(${event});`;
    // It answers no more: it is gone.
    await expect(
      agent.run(`(async () => { ${many} await handlers.dispose(); process.exit(0); })()`),
    ).rejects.toThrow('it ended');
    await until(() => log().length === 12);
    const told = log().map((line) => Number(/"s(\d+)"/.exec(line)?.[1]));
    const order = Array.from({ length: 12 }, (_, index) => index + 1);
    expect(isOrdered ? told : told.toSorted((a, b) => a - b)).toEqual(order);
    expect(agent.output()).toBe('');
  },
);
