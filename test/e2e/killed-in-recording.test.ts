import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { replayFile } from '../../cli/replay/run-replay.ts';
import type { SignalPayload } from '../../protocol/messages/signal.ts';
import { readRecording } from '../../protocol/sources/recording.ts';
import { type BusViewer, viewBus } from '../support/bus-viewer.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { runSender, SILENT } from '../support/sender.ts';
import { until } from '../support/until.ts';

// The recording takes twelve seconds, and a machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

// A prompt, a permission that waits for eight seconds, its answer, the end.
const RECORDING = fileURLToPath(
  new URL('../fixtures/recordings/claude-code-2.1.332/perm_8s.jsonl', import.meta.url),
);

/** Runs every recorded hook at its own time, as the client did: the real sender, its JSON on stdin. Resolves when the last one has ended. */
async function play(home: string): Promise<void> {
  const hooks = readRecording(readFileSync(RECORDING, 'utf8')).filter(
    ({ argv }) => argv !== undefined && argv[1] !== 'MessageDisplay',
  );
  const started = performance.now();
  await Promise.all(
    hooks.map(async ({ tMs, stdin }) => {
      await until(() => performance.now() - started >= tMs);
      expect(await runSender(['claude'], { home, input: stdin as object })).toEqual(SILENT);
    }),
  );
}

/** The states that a bus has told of, without repetitions. */
function statesOf(buses: readonly BusViewer[]): string[] {
  const states = buses
    .flatMap((bus) => bus.of('signal/claude'))
    .map((payload) => (JSON.parse(payload) as SignalPayload).attention)
    .filter(({ count }) => count > 0)
    .map(({ state }) => state);
  return states.filter((state, index) => state !== states[index - 1]);
}

const { changes, alerts } = replayFile(RECORDING, false);
const replayed = changes.flatMap(({ state }) => state ?? []);

it.each<[string, (signal: SignalPayload) => boolean]>([
  ['while it works', ({ attention }) => attention.reason === 'user_prompt'],
  ['before the wait has alerted', ({ attention }) => attention.state === 'needs_user'],
  ['after the wait has alerted', ({ alert }) => alert === 1],
])('a hub killed %s tells the same in the end, and alerts once', async (_when, isMoment) => {
  const hub: HubProcess = await startHub();
  const before = await viewBus({ port: hub.mqtt_port });
  const played = play(hub.home);
  await before.untilSignal('claude', isMoment);
  await hub.end('SIGKILL');

  const again = await startHub({ home: hub.home });
  const after = await viewBus({ port: again.mqtt_port });
  await played;
  const last = replayed.at(-1);
  await until(() => after.signal('claude')?.attention.state === last);
  const states = statesOf([before, after]);
  expect(states).toEqual(replayed.filter((state, index) => state !== replayed[index - 1]));
  expect(after.signal('claude')?.alert).toBe(alerts.length);
  expect(alerts).toHaveLength(1);
});
