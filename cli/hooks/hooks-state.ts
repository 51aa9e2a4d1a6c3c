import { isDeepStrictEqual } from 'node:util';
import type { Agent, Machine } from '../../hooks/installers/agent-hooks.ts';
import { AGENTS } from '../../hooks/installers/agents.ts';
import { codexNotify } from '../../hooks/installers/agents/codex-notify.ts';
import { notifyIn } from '../../hooks/installers/codex-notify.ts';
import { snakeCase, trustedEvents } from '../../hooks/installers/codex-trust.ts';
import { readSettings } from '../../hooks/installers/settings-file.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import type { LastEvent } from '../../services/aggregator/store/rows.ts';
import { canonicalName } from './canonical-name.ts';
import { versionOf } from './agent-version.ts';
import { agentsHere } from './agents-here.ts';
import type { Installing } from './installing.ts';

/** One hook of an agent. */
export interface HookState {
  readonly event: string;
  /** `outdated`: ours, and not as this version puts it there. */
  readonly installed: 'yes' | 'no' | 'outdated';
  /** Whether the agent has been told to run it; left out where it asks nobody, or where that can't be told. */
  readonly trusted?: boolean;
  /** When an event of this kind came last, unix ms. */
  readonly last_at?: number;
}

/** What is known of an agent's hooks. */
export interface AgentState {
  readonly provider: string;
  /** Its folder of settings is here. */
  readonly here: boolean;
  readonly version?: string;
  readonly file: string;
  readonly hooks: readonly HookState[];
  /** Why its file can't be understood. */
  readonly problem?: string;
  /** When anything of it came last, unix ms, whatever sent it. */
  readonly last_event_at?: number;
  /** Events of newer versions that are not wanted there, since its version can't be told; left out where there are none. */
  readonly left_out?: readonly string[];
  /** Codex' `notify`: ours, ours with another's program behind it, another's, or none; left out where that can't be told. */
  readonly notify?: 'ours' | 'chained' | 'other' | 'none';
  /** What no hook of it tells. */
  readonly invisible: readonly string[];
}

/** The hooks of every agent as they are. @param events what the hub has heard, newest first */
export function hooksState(installing: Installing, events: readonly LastEvent[]): readonly AgentState[] {
  const here = new Set(agentsHere(installing.machine));
  return AGENTS.map((agent) => stateOf(agent, installing, here.has(agent), events));
}

function stateOf(
  agent: Agent,
  { machine, installer }: Installing,
  here: boolean,
  events: readonly LastEvent[],
): AgentState {
  const { provider, invisible } = agent;
  const file = agent.file(machine);
  const version = here ? versionOf(agent, machine) : undefined;
  const last = events.find((event) => event.provider === provider)?.last_at;
  const notify = provider === 'codex' ? notifyState(machine) : undefined;
  const common = {
    provider,
    here,
    file,
    invisible,
    ...(notify !== undefined && { notify }),
    ...(version !== undefined && { version }),
    ...(last !== undefined && { last_event_at: last }),
  };
  try {
    const own = installer.installed(agent);
    const trusted = provider === 'codex' && own.length > 0 ? trustedEvents(file) : undefined;
    const wanted = installer.wanted(agent, version);
    const names = new Set([...wanted, ...own].map(({ event }) => event));
    const hooks = [...names].map((event): HookState => {
      const canonical = canonicalName(provider, event);
      const seen = events.find((each) => each.provider === provider && each.event === canonical);
      const has = own.filter((hook) => hook.event === event);
      const want = wanted.filter((hook) => hook.event === event);
      const installed = has.length === 0 ? 'no' : isDeepStrictEqual(has, want) ? 'yes' : 'outdated';
      return {
        event,
        installed,
        ...(seen !== undefined && { last_at: seen.last_at }),
        ...(trusted !== undefined && has.length > 0 && { trusted: trusted.has(snakeCase(event)) }),
      };
    });
    const left_out = own.length > 0 ? installer.leftOut(agent, version) : [];
    return { ...common, hooks, ...(left_out.length > 0 && { left_out }) };
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return { ...common, hooks: [], problem: `${error.message} ${error.next}` };
  }
}

function notifyState(machine: Machine): AgentState['notify'] {
  const path = codexNotify.file(machine);
  try {
    const notify = notifyIn(readSettings(path) ?? '', path);
    if (notify === undefined) return 'none';
    if (notify.own === 0) return 'other';
    return notify.words.length > notify.own ? 'chained' : 'ours';
  } catch (error) {
    if (error instanceof SignalboxError) return undefined;
    throw error;
  }
}
