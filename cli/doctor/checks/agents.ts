import { AGENTS } from '../../../hooks/installers/agents.ts';
import { enabledPlugins } from '../../../hooks/installers/claude-places.ts';
import { lastUsed } from '../../../hooks/installers/last-used.ts';
import { type AgentState, hooksState } from '../../hooks/hooks-state.ts';
import { installingOn } from '../../hooks/installing.ts';
import { ago } from '../../terminal/duration.ts';
import { type Check, type Finding, ok, warning } from '../check.ts';
import type { Facts } from '../facts.ts';

/** Nobody misses the hooks of an agent that was left alone for so long [ms]. */
const NOT_USED = 30 * 24 * 3_600_000;
const days = (ms: number): number => Math.floor(ms / (24 * 3_600_000));

/** For each agent on this machine: whether its hooks are there, run, and have been heard of. */
export const agentsCheck: Check = {
  name: 'agents',
  run(facts) {
    const { context, settings, database } = facts;
    const events = database.kind === 'sound' ? database.events : [];
    return hooksState(installingOn(context, settings), events)
      .filter(({ here, hooks }) => here || hooks.some(({ installed }) => installed !== 'no'))
      .flatMap((state) => findings(state, facts));
  },
};

function findings(state: AgentState, facts: Facts): Finding[] {
  const { provider, hooks, problem, version, left_out, last_event_at, file } = state;
  const name = facts.settings.registry.find(provider)?.name ?? provider;
  const install = `signalbox hooks install ${provider}`;
  const data = { provider, ...(version !== undefined && { version }) };
  if (problem !== undefined) {
    const mend = `Mend it, then: ${install}`;
    return [warning('settings_unreadable', `${name}: ${problem}`, mend, { ...data, file })];
  }
  const installed = hooks.filter((hook) => hook.installed !== 'no');
  if (installed.length === 0) return [withoutHooks(state, name, install, facts)];
  const found: Finding[] = [];
  const wrong = hooks.filter((hook) => hook.installed !== 'yes').map(({ event }) => event);
  if (wrong.length > 0) {
    const message = `${name}: its hooks are not as this version puts them there (${some(wrong)}).`;
    found.push(
      warning('hooks_outdated', message, `Bring them up to date: ${install}`, { ...data, events: wrong }),
    );
  }
  const untrusted = installed.filter(({ trusted }) => trusted === false).map(({ event }) => event);
  if (untrusted.length > 0) {
    const message = `${name} skips ${untrusted.length} of its hooks until you have trusted them.`;
    const mend = `Start "${provider}" once and choose "Trust all and continue".`;
    found.push(warning('hooks_untrusted', message, mend, { ...data, events: untrusted }));
  }
  if (left_out !== undefined) {
    const message = `${name}: its version can't be told, so newer events are left out (${some(left_out)}).`;
    const mend = `Put "${provider}" on PATH, then: ${install}`;
    found.push(warning('hooks_left_out', message, mend, { ...data, events: left_out }));
  }
  if (last_event_at === undefined) {
    // Why it skips them is told already.
    if (untrusted.length > 0) return found;
    const afterwards = AGENTS.find((agent) => agent.provider === provider)?.afterwards;
    const mend = `Let it do something. ${afterwards ?? 'Sessions that run may have to be started again.'}`;
    found.push(warning('hooks_silent', `${name}: nothing has come of its hooks yet.`, mend, data));
    return found;
  }
  return [...found, ok(heard(name, state, facts.now), { ...data, ...firing(state), last_event_at })];
}

function withoutHooks(
  { provider, last_event_at }: AgentState,
  name: string,
  install: string,
  facts: Facts,
): Finding {
  const { env, platform, home, cwd } = facts.context;
  if (provider === 'claude' && enabledPlugins({ env, platform, home }, cwd).length > 0)
    return ok(`${name}: by its plugin`, { provider });
  // Somebody may have put a command of his own there, in any form.
  if (last_event_at !== undefined)
    return ok(`${name}: heard of, without hooks of ours`, { provider, last_event_at });
  const agent = AGENTS.find((each) => each.provider === provider);
  const used = agent && lastUsed(agent, { env, platform, home });
  if (used !== undefined && facts.now - used > NOT_USED)
    return ok(`${name}: no hooks, and nothing of it has changed for ${days(facts.now - used)} days`, {
      provider,
    });
  const message = `${name} is on this machine, and its hooks are not installed.`;
  return warning('hooks_missing', message, `Install them: ${install}`, { provider });
}

function heard(name: string, state: AgentState, now: number): string {
  const { version, last_event_at = now } = state;
  const { fired, never } = firing(state);
  const title = version === undefined ? name : `${name} ${version}`;
  const silent = never.length > 0 && fired.length > 0 ? `; never fired: ${some(never)}` : '';
  return `${title}: ${fired.length + never.length} hooks, the last event ${ago((now - last_event_at) / 1000)}${silent}`;
}

function firing({ hooks }: AgentState): { fired: string[]; never: string[] } {
  const installed = hooks.filter((hook) => hook.installed !== 'no');
  const names = (fired: boolean): string[] =>
    installed.filter(({ last_at }) => (last_at !== undefined) === fired).map(({ event }) => event);
  return { fired: names(true), never: names(false) };
}

/** The first few of many. */
function some(events: readonly string[]): string {
  return events.length > 5
    ? `${events.slice(0, 4).join(', ')} and ${events.length - 4} others`
    : events.join(', ');
}
