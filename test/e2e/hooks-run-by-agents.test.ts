import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { type AgentHome, agentHome, claudeOf } from '../support/agent-home.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

/** A home folder whose path has all that a shell minds. */
const NAMES = ['plain', `it's "my" home`, '$(touch pwned) `id`;&|*?[x]', 'großes Zuhause\\n'];

/** Where each agent keeps its hooks, how an event of it goes, and a payload as the agent would send it. */
const AGENTS = {
  claude: { file: '.claude/settings.json', event: 'Stop', payload: { hook_event_name: 'Stop' } },
  codex: { file: '.codex/hooks.json', event: 'Stop', payload: { hook_event_name: 'Stop' } },
  gemini: { file: '.gemini/settings.json', event: 'AfterAgent', payload: { hook_event_name: 'AfterAgent' } },
  qwen: { file: '.qwen/settings.json', event: 'Stop', payload: { hook_event_name: 'Stop' } },
  cursor: {
    file: '.cursor/hooks.json',
    event: 'stop',
    payload: { hook_event_name: 'stop', status: 'completed' },
  },
  copilot: { file: '.copilot/hooks/signalbox.json', event: 'agentStop', payload: { stopReason: 'end_turn' } },
  codebuddy: { file: '.codebuddy/settings.json', event: 'Stop', payload: { hook_event_name: 'Stop' } },
} as const;

interface Handler {
  readonly command?: string;
  readonly bash?: string;
  readonly args?: readonly string[];
}

/** Runs an agent's hook for an event as the agent does: by itself where it has arguments of its own, else by a shell. */
async function fire(home: AgentHome, provider: keyof typeof AGENTS): Promise<unknown> {
  const { file, event, payload } = AGENTS[provider];
  const { hooks } = JSON.parse(home.read(file)) as {
    hooks: Record<string, [Handler & { hooks?: [Handler] }]>;
  };
  const entry = hooks[event]?.[0];
  const { command, bash, args } = entry?.hooks?.[0] ?? entry ?? {};
  const line = command ?? bash ?? '';
  const [program, words] = args === undefined ? ['/bin/sh', ['-c', line]] : [line, args];
  const child = spawn(program, words, {
    cwd: home.path,
    env: { PATH: '/usr/bin:/bin', HOME: home.path },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text));
  child.stderr.on('data', (text: Buffer) => (said += text));
  const session = {
    session_id: `s-${provider}`,
    sessionId: `s-${provider}`,
    conversation_id: `s-${provider}`,
  };
  child.stdin.end(JSON.stringify({ ...session, cwd: '/srv/shop', ...payload }));
  const [status] = (await once(child, 'close')) as [number | null];
  return [status, said];
}

describe('the command that an agent is given runs', () => {
  it.each(NAMES)('in a home folder named %j', async (name) => {
    const home = agentHome(name);
    home.program('claude', claudeOf('2.1.332'));
    const hub = await home.hub();
    const providers = Object.keys(AGENTS) as (keyof typeof AGENTS)[];
    const { status, stdout, stderr } = await home.cli(['hooks', 'install', ...providers, '--yes']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.match(/went through the sender and arrived/g)).toHaveLength(providers.length);
    for (const provider of providers) {
      const silent = ['codex', 'cursor'].includes(provider) ? '{}' : '';
      expect([provider, await fire(home, provider)]).toEqual([provider, [0, silent]]);
    }
    const arrived = (): string[] =>
      readHubDatabase(hub.home).events.flatMap(({ provider, event }) => (event === 'Stop' ? [provider] : []));
    await until(() => arrived().length === providers.length);
    expect(arrived()).toEqual(providers);
    expect(home.has('pwned')).toBe(false);

    const told = await home.cli(['hooks', 'status', '--json']);
    const { agents } = JSON.parse(told.stdout) as {
      agents: {
        provider: string;
        last_event_at?: number;
        hooks: { last_at?: number; installed: string }[];
      }[];
    };
    // Agents with a plugin have tests of their own.
    for (const { provider, last_event_at, hooks } of agents.filter((agent) => agent.provider in AGENTS)) {
      const fired = hooks.filter(({ last_at }) => last_at !== undefined);
      expect([provider, last_event_at !== undefined, fired.length]).toEqual([provider, true, 1]);
      expect(new Set(hooks.map(({ installed }) => installed))).toEqual(new Set(['yes']));
    }
    const again = await home.cli(['hooks', 'install', '--yes']);
    expect(again.stdout.match(/nothing to do/g)).toHaveLength(providers.length);
    await home.cli(['hooks', 'uninstall', '--yes']);
    expect(providers.filter((provider) => home.has(AGENTS[provider].file))).toEqual([]);
  });
});
