import { claude } from '../../hooks/installers/agents/claude.ts';

/** Where Claude Code has put the plugin; run by `sh`, so that no copy of it has to keep a file's mode. */
const FORWARD = ['sh', `\${CLAUDE_PLUGIN_ROOT}/hooks/forward.sh`] as const;
/** Versions that have plugins with such handlers pass over the events that they don't know. */
const NEWEST = '999.0.0';

/** The hooks of Claude Code's plugin: those of the installer. */
export function claudePluginHooks(): string {
  const hooks = claude
    .hooks({ program: FORWARD, platform: 'linux' }, NEWEST)
    .map(({ event, handler }) => [event, [{ hooks: [handler] }]] as const);
  const file = {
    description: 'Every event that tells whether a session works, waits or has ended',
    hooks: Object.fromEntries(hooks),
  };
  // A list of words stands in one line, as the formatter has it.
  const text = JSON.stringify(file, undefined, 2).replace(
    /\[\s+("[^[\]]*")\s+\]/g,
    (_, words: string) => `[${words.replace(/,\s+/g, ', ')}]`,
  );
  return `${text}\n`;
}
