import { isDeepStrictEqual } from 'node:util';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Agent, AgentHooks, AgentNotify, AgentPlugin, Machine, SenderCommand } from './agent-hooks.ts';
import { notifyIn, wantedNotify, withNotify, withoutNotify } from './codex-notify.ts';
import { type Handler, type Hook, type HookFile, ownHooks, withHooks, withoutHooks } from './hook-file.ts';
import { fingerprintOf, type InstalledRecords } from './installed.ts';
import { expectOurs, ownerOf, pluginText } from './plugin-file.ts';
import { isSenderPath } from './sender-path.ts';
import { makeFolder, readSettings, removeSettings, writeSettings } from './settings-file.ts';

/** What is to happen to one agent's file. Nothing has happened yet. */
export interface Change {
  readonly agent: Agent;
  readonly path: string;
  /** The text as it is; undefined: there is no file. */
  readonly before: string | undefined;
  /** The text as it is to be; undefined: no file. */
  readonly after: string | undefined;
}

export interface InstallerOptions {
  readonly machine: Machine;
  readonly sender: SenderCommand;
  readonly records: InstalledRecords;
  /** The bundled program of an agent that runs one of ours, by its slug. */
  readonly pluginSource: (provider: string) => string;
}

/** Newer than every version that something hangs on. */
const NEWEST = '99999.0.0';

/** Puts our hooks into an agent's own settings and takes them out again (spec: agents, section 3). */
export class Installer {
  readonly #machine: Machine;
  readonly #sender: SenderCommand;
  readonly #records: InstalledRecords;
  readonly #pluginSource: InstallerOptions['pluginSource'];

  constructor({ machine, sender, records, pluginSource }: InstallerOptions) {
    this.#machine = machine;
    this.#sender = sender;
    this.#records = records;
    this.#pluginSource = pluginSource;
  }

  /** The hooks of ours that an agent's file holds. @throws SignalboxError `settings_unreadable`, `settings_unusable`, `plugin_foreign` */
  installed(agent: Agent): readonly Hook[] {
    const path = agent.file(this.#machine);
    const text = readSettings(path);
    if (isNotify(agent)) {
      // A file that can't be understood is somebody else's matter as long as we are not in it.
      if (text?.includes(agent.record) !== true) return [];
      const notify = notifyIn(text, path);
      return notify !== undefined && notify.own > 0 ? notifyHooks(agent, notify.words) : [];
    }
    if (!isPlugin(agent)) return ownHooks(hookFile(agent, path, text));
    if (text === undefined || ownerOf(text) === 'foreign') return [];
    expectOurs(text, path);
    return pluginHooks(agent, text);
  }

  /**
   * The hooks that this version wants there. Where the agent's version can't be told, those for newer ones that are there already stay: they were put there when it could.
   * @throws SignalboxError `settings_unreadable`, `settings_unusable`
   */
  wanted(agent: Agent, version: string | undefined): readonly Hook[] {
    if (isPlugin(agent)) return pluginHooks(agent, this.#pluginText(agent));
    if (isNotify(agent)) {
      const path = agent.file(this.#machine);
      return notifyHooks(agent, wantedNotify(this.#sender, notifyIn(readSettings(path) ?? '', path)));
    }
    const wanted = agent.hooks(this.#sender, version);
    if (version !== undefined) return wanted;
    const events = new Set(wanted.map(({ event }) => event));
    const own = this.installed(agent);
    return agent
      .hooks(this.#sender, NEWEST)
      .filter((hook) => events.has(hook.event) || own.some((each) => isDeepStrictEqual(each, hook)));
  }

  /** The events that are left out since the agent's version can't be told. @throws SignalboxError as `wanted` */
  leftOut(agent: Agent, version: string | undefined): readonly string[] {
    if (isPlugin(agent) || isNotify(agent)) return [];
    const wanted = new Set(this.wanted(agent, version).map(({ event }) => event));
    if (version !== undefined) return [];
    const all = agent.hooks(this.#sender, NEWEST).map(({ event }) => event);
    return all.filter((event) => !wanted.has(event));
  }

  /** @throws SignalboxError `settings_unreadable`, `settings_unusable`, `plugin_foreign` */
  planInstall(agent: Agent, version: string | undefined): Change {
    const path = agent.file(this.#machine);
    const before = readSettings(path);
    if (isPlugin(agent)) {
      expectOurs(before, path);
      return { agent, path, before, after: this.#pluginText(agent) };
    }
    if (isNotify(agent)) return { agent, path, before, after: withNotify(before ?? '', path, this.#sender) };
    return {
      agent,
      path,
      before,
      after: withHooks(hookFile(agent, path, before), this.wanted(agent, version)),
    };
  }

  /** @throws SignalboxError `settings_unreadable`, `settings_unusable`, `plugin_foreign` */
  planUninstall(agent: Agent): Change {
    const path = agent.file(this.#machine);
    const before = readSettings(path);
    if (before === undefined) return { agent, path, before, after: undefined };
    if (isPlugin(agent)) {
      expectOurs(before, path);
      return { agent, path, before, after: undefined };
    }
    const known = this.#known(agent, path, before);
    if (known !== undefined) return { agent, path, before, after: known.original ?? undefined };
    const after = withoutOurs(agent, path, before);
    const wasOurs = this.#records.read(recordOf(agent))?.original === null;
    return { agent, path, before, after: wasOurs && isEmpty(after, agent) ? undefined : after };
  }

  /**
   * Does it: keeps what was there, writes the file whole, and reads it back.
   * @throws SignalboxError `settings_changed` when somebody has written to the file since the plan; `settings_unusable`
   */
  install({ agent, path, before, after }: Change): void {
    if (after === undefined || after === before) return;
    this.#expectUnchanged(path, before);
    const known = before === undefined ? undefined : this.#known(agent, path, before);
    const original = known === undefined ? this.#originalOf(agent, path, before) : known.original;
    const made = makeFolder(path) ?? this.#madeFor(agent);
    this.#records.write(recordOf(agent), {
      path,
      original,
      written: fingerprintOf(after),
      ...(made !== undefined && { made }),
    });
    writeSettings(path, after);
    this.#verify(path, after);
  }

  /** As `install`, the other way. */
  uninstall({ agent, path, before, after }: Change): void {
    if (after !== before) {
      this.#expectUnchanged(path, before);
      if (after === undefined) removeSettings(path, this.#records.read(recordOf(agent))?.made);
      else writeSettings(path, after);
      this.#verify(path, after);
    }
    this.#records.forget(recordOf(agent));
  }

  /** The folder that was made for it, or for its hooks beside it: whichever of the two goes last takes it away. */
  #madeFor(agent: Agent): string | undefined {
    return this.#records.read(recordOf(agent))?.made ?? this.#records.read(agent.provider)?.made;
  }

  /** What we have kept, if the file is still as we wrote it. */
  #known(agent: Agent, path: string, text: string) {
    const record = this.#records.read(recordOf(agent));
    return record?.path === path && record.written === fingerprintOf(text) ? record : undefined;
  }

  /** What an uninstall is to give back: the file without hooks of ours, should an older version have left some. */
  #originalOf(agent: Agent, path: string, before: string | undefined): string | null {
    return before === undefined || isPlugin(agent) ? null : withoutOurs(agent, path, before);
  }

  #pluginText({ provider, plugin }: AgentPlugin): string {
    return pluginText(provider, plugin, this.#pluginSource(provider), this.#sender.program);
  }

  #expectUnchanged(path: string, before: string | undefined): void {
    if (readSettings(path) !== before) throw new SignalboxError('settings_changed', { path });
  }

  #verify(path: string, after: string | undefined): void {
    if (readSettings(path) !== after) throw new SignalboxError('settings_changed', { path });
  }
}

function isPlugin(agent: Agent): agent is AgentPlugin {
  return 'plugin' in agent;
}

function isNotify(agent: Agent): agent is AgentNotify {
  return 'record' in agent;
}

function recordOf(agent: Agent): string {
  return isNotify(agent) ? agent.record : agent.provider;
}

function withoutOurs(agent: AgentHooks | AgentNotify, path: string, text: string): string {
  return isNotify(agent) ? withoutNotify(text, path) : withoutHooks(hookFile(agent, path, text));
}

function notifyHooks({ event }: AgentNotify, notify: readonly string[]): readonly Hook[] {
  return [{ event, handler: { notify } }];
}

/** Events that one text forwards: all of them are as it is. */
function pluginHooks({ plugin }: AgentPlugin, text: string): readonly Hook[] {
  const handler = { sha256: fingerprintOf(text) };
  return plugin.events.map((event) => ({ event, handler }));
}

/** Is a handler ours? By the sender's path alone, in whichever key an agent keeps its command. */
export function isOurs(handler: Handler): boolean {
  const { command, commandWindows, bash, powershell, args } = handler;
  const words = [command, commandWindows, bash, powershell, ...(Array.isArray(args) ? args : [])];
  return words.some(isSenderPath);
}

function hookFile({ form }: AgentHooks, path: string, text: string | undefined): HookFile {
  return { text: text ?? '', path, form, isOurs };
}

function isEmpty(text: string, agent: AgentHooks | AgentNotify): boolean {
  if (isNotify(agent)) return text.trim() === '';
  let value: unknown;
  try {
    value = JSON.parse(text.trim() || '{}');
  } catch {
    // Somebody's comments are in it.
    return false;
  }
  return isDeepStrictEqual(value, {}) || isDeepStrictEqual(value, agent.form.preamble);
}
