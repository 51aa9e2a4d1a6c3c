import { isDeepStrictEqual } from 'node:util';
import { type ClaudePlace, claudePlaces, enabledPlugins } from '../../../hooks/installers/claude-places.ts';
import { type Check, type Finding, warning } from '../check.ts';

/**
 * Whether Claude Code runs our hooks twice on one event: from its plugin and from a settings file, or from two settings files in different words (the same words run once). The hub
 * drops the second, but the agent has waited for it.
 */
export const doubledCheck: Check = {
  name: 'doubled',
  run({ context: { env, platform, home, cwd } }) {
    const machine = { env, platform, home };
    const places = claudePlaces(machine, cwd);
    const own = places.filter(({ hooks }) => hooks.length > 0);
    return [...byPlugin(enabledPlugins(machine, cwd), own), ...byFiles(own)];
  },
};

function byPlugin(plugins: readonly string[], own: readonly ClaudePlace[]): Finding[] {
  const [plugin] = plugins;
  if (plugin === undefined || own.length === 0) return [];
  const paths = own.map(({ path }) => path);
  const message = `Claude runs our hooks twice: from its plugin ${plugin} and from ${paths.join(' and ')}.`;
  const mend = 'Keep one of them: signalbox hooks uninstall claude, or "/plugin" in Claude.';
  return [warning('hooks_doubled', message, mend, { plugin, paths })];
}

function byFiles([first, ...others]: readonly ClaudePlace[]): Finding[] {
  if (first === undefined) return [];
  return others
    .filter(({ hooks }) => hooks.some((hook) => isAnother(hook, first)))
    .map(({ path }) => {
      const message = `Claude runs our hooks twice in this project: from ${first.path} and from ${path}.`;
      return warning('hooks_doubled', message, `Take ours out of ${path}.`, { paths: [first.path, path] });
    });
}

function isAnother(hook: ClaudePlace['hooks'][number], { hooks }: ClaudePlace): boolean {
  const same = hooks.filter(({ event }) => event === hook.event);
  return same.length > 0 && !same.some((each) => isDeepStrictEqual(each, hook));
}
