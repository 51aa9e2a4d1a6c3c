import { createHash, createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Hasher } from '../../protocol/events.ts';
import { DEFAULT_TIMEOUTS } from '../../protocol/expiry.ts';
import { createProviderRegistry, isProviderSlug, type ProviderRegistry } from '../../protocol/providers.ts';
import { replay, type Replayed } from '../../protocol/replay.ts';
import { readRecording, recordedProviders } from '../../protocol/sources/recording.ts';
import type { CommandContext } from '../context.ts';

/** Left out of the settings on purpose: a replay depends on its file alone. */
const SOURCES_VARIABLE = 'SIGNALBOX_REPLAY_SOURCES';

/** `signalbox replay FILE`. @throws SignalboxError `recording_unreadable` */
export function runReplay(file: string, { cwd, env, stdout }: CommandContext): void {
  const { changes } = replayFile(resolve(cwd, file), env[SOURCES_VARIABLE] !== 'hooks');
  stdout.write(changes.map((change) => `${JSON.stringify(change)}\n`).join(''));
}

/** Replays a recording and what lies beside it. @param sources false: hooks alone @throws SignalboxError `recording_unreadable` */
export function replayFile(path: string, sources: boolean): Replayed {
  const [rollout, events] = [beside(path, '.rollout.jsonl'), beside(path, '.events.jsonl')];
  return replayText({ recording: read(path), rollout, events }, sources);
}

/** The text of a recording, and of the Codex rollouts and the Copilot log beside it. */
export interface RecordingText {
  readonly recording: string;
  readonly rollout: string;
  readonly events: string;
}

/** Replays a recording with the settings' defaults. @param sources false: hooks alone */
export function replayText({ recording, rollout, events }: RecordingText, sources: boolean): Replayed {
  const registry = registryOf(recording);
  return replay(recording, {
    table: {
      registry,
      timeouts: DEFAULT_TIMEOUTS,
      rules: { background: 'all' },
      names: { roots: [], names: {} },
      sha256: HASHER.sha256,
    },
    adapting: { registry, hasher: HASHER, host: 'replay', questions: true, titles: false },
    sources,
    rollout,
    events,
  });
}

/** A hub's recording may have events of providers that only its settings know. */
function registryOf(recording: string): ProviderRegistry {
  const known = createProviderRegistry();
  const added = recordedProviders(readRecording(recording)).filter(
    (slug) => known.find(slug) === undefined && isProviderSlug(slug),
  );
  return added.length === 0 ? known : createProviderRegistry(added.map((slug) => ({ slug, name: slug })));
}

/** The key is fixed: a recording gives the same digests everywhere, and holds none of its tools' input anyway. */
const HASHER: Hasher = {
  hmac: (text) => createHmac('sha256', 'replay').update(text).digest('hex').slice(0, 16),
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
};

function beside(path: string, ending: string): string {
  const other = path.replace(/\.jsonl$/, ending);
  return other !== path && existsSync(other) ? read(other) : '';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new SignalboxError('recording_unreadable', { path, reason }, { cause: error });
  }
}
