import type { AgentHooks } from '../../hooks/installers/agent-hooks.ts';
import { claude } from '../../hooks/installers/agents/claude.ts';
import { codex } from '../../hooks/installers/agents/codex.ts';

/** Where the sender is on Linux, for a user called `me`. */
const SENDER = '/home/me/.local/share/signalbox/bin/signalbox-hook';
/** Knows every event. */
const NEWEST = '999.0.0';

/** What goes into the settings by hand: what the installers put there. */
export function agentsByHand(): string {
  return [
    'Claude Code, in `~/.claude/settings.json`. A version before 2.1.110 skips a settings file that names an event it does not know, whole: leave `PostToolBatch`, `PreModelSwitch` and `PostModelSwitch` out there.',
    settings(claude),
    'Codex, in `~/.codex/hooks.json`. It runs a hook once you have trusted exactly its text: start `codex` and choose "Trust all and continue".',
    settings(codex),
  ].join('\n\n');
}

function settings(agent: AgentHooks): string {
  const lines = agent
    .hooks({ program: [SENDER], platform: 'linux' }, NEWEST)
    .map(({ event, handler }) => `    ${JSON.stringify(event)}: ${JSON.stringify([{ hooks: [handler] }])}`);
  return ['```json', '{', '  "hooks": {', lines.join(',\n'), '  }', '}', '```'].join('\n');
}
