import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGENTS, PLUGIN_AGENTS } from '../../../../hooks/installers/agents.ts';
import { opencode } from '../../../../hooks/installers/agents/opencode.ts';
import { ownerOf, pluginText } from '../../../../hooks/installers/plugin-file.ts';
import { OPENCODE_EVENTS } from '../../../../protocol/adapters/opencode.ts';
import { AMP_EVENTS } from '../../../../protocol/adapters/amp.ts';
import { installingMachine } from '../../../support/installing.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const EACH = PLUGIN_AGENTS.map((agent) => [agent.provider, agent] as const);
const FOREIGN = expect.objectContaining({ code: 'plugin_foreign' });

describe.each(EACH)('the plugin of %s', (provider, agent) => {
  it('is put there whole, once, with the sender in it, and is gone again', async () => {
    const { install, uninstall, read, fileOf, installer } = installingMachine();
    install(agent);
    const installed = read(agent);
    expect(installer.installed(agent)).toEqual(installer.wanted(agent, undefined));
    install(agent);
    expect(read(agent)).toBe(installed);
    const module = (await import(`data:text/javascript,${encodeURIComponent(installed)}`)) as object;
    expect(module).toHaveProperty(provider, ['/home/me/.local/share/signalbox/bin/signalbox-hook']);
    uninstall(agent);
    expect(existsSync(fileOf(agent))).toBe(false);
    uninstall(agent);
  });

  it('of an older version is replaced, also where nothing is known of it any more', () => {
    const home = temporaryFolder();
    const older = installingMachine(home, ['/old/bin/signalbox-hook'], () => 'export const old = 1;\n');
    older.install(agent);
    older.installer.uninstall({ agent, path: '', before: undefined, after: undefined });
    const { install, uninstall, read, fileOf, installer } = installingMachine(home);
    expect(installer.installed(agent)).not.toEqual(installer.wanted(agent, undefined));
    install(agent);
    expect(read(agent)).not.toContain('/old/');
    uninstall(agent);
    expect(existsSync(fileOf(agent))).toBe(false);
  });

  it.each([
    ['of somebody else', (): string => 'export const mine = 1;\n'],
    ['that is empty', (): string => ''],
    ['that was changed by hand', (text: string): string => `${text}// mine\n`],
    ['of which a line is gone', (text: string): string => text.replace(/^const SIGNALBOX.*\n/m, '')],
    ['whose line ends are others', (text: string): string => text.replaceAll('\n', '\r\n')],
  ])('a file %s stays as it is', (_, make) => {
    const { install, put, read, installer } = installingMachine();
    install(agent);
    const text = make(read(agent));
    put(agent, text);
    expect(() => install(agent)).toThrow(FOREIGN);
    expect(() => installer.planUninstall(agent)).toThrow(FOREIGN);
    expect(read(agent)).toBe(text);
  });

  it('a file that comes between the question and the answer stays', () => {
    const { installer, put, read } = installingMachine();
    const change = installer.planInstall(agent, undefined);
    put(agent, 'mine');
    expect(() => installer.install(change)).toThrow(expect.objectContaining({ code: 'settings_changed' }));
    expect(read(agent)).toBe('mine');
  });

  it('and a foreign file is none of our hooks', () => {
    const { installer, put } = installingMachine();
    put(agent, 'export const mine = 1;\n');
    expect(installer.installed(agent)).toEqual([]);
  });
});

describe('a plugin tells whose it is by itself', () => {
  it('whatever the program, the sender and the change', () => {
    const line = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(line, fc.array(line, { minLength: 1 }), line, fc.nat(), (source, sender, put, at) => {
        const text = pluginText('opencode', opencode.plugin, source, sender);
        expect(ownerOf(text)).toBe('ours');
        const index = at % (text.length + 1);
        const changed = text.slice(0, index) + put + text.slice(index);
        expect(ownerOf(changed) === 'ours').toBe(changed === text);
      }),
    );
  });
});

describe('where a plugin goes', () => {
  it.each([
    [{}, '/home/me/.config/opencode/plugins/signalbox.js'],
    [{ XDG_CONFIG_HOME: '/xdg' }, '/xdg/opencode/plugins/signalbox.js'],
    [{ XDG_CONFIG_HOME: 'relative' }, '/home/me/.config/opencode/plugins/signalbox.js'],
    [{ XDG_CONFIG_HOME: '/xdg', OPENCODE_CONFIG_DIR: '/own' }, '/own/plugins/signalbox.js'],
  ])('OpenCode, %o', (env, path) => {
    expect(opencode.file({ env, platform: 'linux', home: '/home/me' })).toBe(path);
  });
});

describe('what a plugin forwards', () => {
  /** The names in the source's list. */
  const source = (name: string): string =>
    readFileSync(join(import.meta.dirname, '../../../../hooks/plugins', name), 'utf8');

  it('is every event of OpenCode that its adapter reads as more than "Other"', () => {
    const wanted = [...OPENCODE_EVENTS].filter(([, event]) => event !== 'Other').map(([name]) => name);
    for (const name of [...wanted, 'session.status']) expect(source('opencode.ts')).toContain(`'${name}'`);
    for (const name of opencode.plugin.events) expect(OPENCODE_EVENTS.has(name)).toBe(true);
  });

  it('is every event of Amp that its adapter reads', () => {
    for (const name of AMP_EVENTS.keys()) expect(source('amp.ts')).toContain(`'${name}'`);
    const amp = PLUGIN_AGENTS.find(({ provider }) => provider === 'amp');
    expect([...(amp?.plugin.events ?? [])].sort()).toEqual([...AMP_EVENTS.keys()].sort());
  });

  it('each agent stands in the list once', () => {
    const slugs = AGENTS.map(({ provider }) => provider);
    expect(new Set(slugs).size).toBe(slugs.length);
  });
});
