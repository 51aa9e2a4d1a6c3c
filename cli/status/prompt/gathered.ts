import type { SignalPayload } from '../../../protocol/messages/signal.ts';
import { ATTENTION_STATES, LAMP_STATES, type LampState } from '../../../protocol/states.ts';
import type { Topics } from '../../../protocol/topics.ts';
import type { ProviderStatus, StatusView } from '../status-view.ts';

/** Rows of the topic table that a prompt needs. */
export const PROMPT_TOPICS = ['hubState', 'hubInfo', 'signal', 'lampAll'] as const;

/**
 * Gathers the retained messages of the bus for one line. As `Board` does, but with nothing loaded to read them by: zod alone takes longer than a prompt may. What
 * can't be read leaves the picture incomplete, and that is not shown.
 */
export class Gathered {
  readonly #topics: Topics;
  readonly #signals = new Map<string, SignalPayload>();
  #hub: string | undefined;
  #lamp: LampState | undefined;
  #announced: readonly string[] | undefined;

  constructor(topics: Topics) {
    this.#topics = topics;
  }

  take(topic: string, text: string): void {
    const parsed = this.#topics.parse(topic);
    if (parsed?.name === 'hubState') this.#hub = text;
    else if (parsed?.name === 'lampAll') this.#lamp = LAMP_STATES.find((lamp) => lamp === text);
    else if (parsed?.name === 'hubInfo') this.#announced = slugsIn(text) ?? this.#announced;
    else if (parsed?.name === 'signal') {
      const signal = jsonOf(text);
      if (isSignal(signal)) this.#signals.set(parsed.params['provider'] ?? '', signal);
    }
  }

  /** All that the hub has announced, or that it is gone; `undefined` while something is missing. */
  view(): StatusView | undefined {
    const common = { line: undefined, info: undefined };
    if (this.#hub !== undefined && this.#hub !== 'online')
      return {
        ...common,
        hub: { state: 'gone', since: 0, reason: 'it has stopped' },
        lamp: undefined,
        providers: [],
      };
    if (this.#hub === undefined || this.#lamp === undefined || this.#announced === undefined)
      return undefined;
    const providers: ProviderStatus[] = [];
    for (const provider of this.#announced) {
      const signal = this.#signals.get(provider);
      if (signal === undefined) return undefined;
      providers.push({ provider, signal });
    }
    return { ...common, hub: { state: 'online' }, lamp: this.#lamp, providers };
  }
}

function slugsIn(text: string): readonly string[] | undefined {
  const info = jsonOf(text);
  if (!isRecord(info) || !Array.isArray(info['providers'])) return undefined;
  const slugs = info['providers'].map((each: unknown) => (isRecord(each) ? each['slug'] : undefined));
  return slugs.every((slug) => typeof slug === 'string') ? slugs : undefined;
}

function isSignal(value: unknown): value is SignalPayload {
  if (!isRecord(value) || !isRecord(value['attention'])) return false;
  const { name, lamp, attention } = value;
  const { state, count, primary_project: project, projects, reason, since } = attention;
  return (
    isOneOf(LAMP_STATES, lamp) &&
    isOneOf(ATTENTION_STATES, state) &&
    [name, project, reason].every((each) => typeof each === 'string') &&
    [count, since].every((each) => Number.isFinite(each)) &&
    Array.isArray(projects)
  );
}

function isOneOf(words: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && words.includes(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
