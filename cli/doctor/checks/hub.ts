import { version as ownVersion } from '../../../runtime/version.ts';
import { shortDuration } from '../../terminal/duration.ts';
import { broken, type Check, type Finding, ok, warning } from '../check.ts';
import type { Facts } from '../facts.ts';

const START = 'Start it: signalbox up';

export const hubCheck: Check = {
  name: 'hub',
  run(facts) {
    const { hub, now } = facts;
    switch (hub.kind) {
      case 'none':
        return [broken('no_hub', 'No hub runs.', START)];
      case 'damaged':
        return [broken('no_hub', `${facts.paths.hubFile} is damaged, so no hub can be found.`, START)];
      case 'gone': {
        const message = `No hub runs: the last one (process ${hub.file.pid}) has ended without a goodbye.`;
        return [broken('no_hub', message, START)];
      }
      case 'silent': {
        const message = `The hub (process ${hub.file.pid}) does not answer: ${hub.reason}.`;
        return [
          broken('hub_silent', message, `End process ${hub.file.pid} and start it again: signalbox up`),
        ];
      }
      case 'running': {
        const { pid, started_at } = hub.file;
        const up = shortDuration((now - started_at) / 1000);
        const running = ok(`process ${pid}, version ${hub.version}, up for ${up}`, {
          pid,
          version: hub.version,
          started_at,
        });
        return [running, ...versions(hub.version), ...problems(facts)];
      }
    }
  },
};

function versions(running: string): Finding[] {
  const own = ownVersion();
  if (running === own) return [];
  const message = `The hub that runs is version ${running}, this program is ${own}.`;
  return [warning('other_version', message, 'End it and start it again: signalbox up')];
}

/** What the hub says is wrong, as codes of its health message. */
const PROBLEMS: Readonly<Record<string, { readonly message: string; readonly mend: string }>> = {
  not_committed: {
    message: 'The hub can write nothing to its database: it goes on in memory and acknowledges nothing.',
    mend: 'Look at the disk and the modes above; the log of the hub has the reason.',
  },
  database_damaged: {
    message: 'The hub has found its database damaged and goes on with a fresh one.',
    mend: 'Nothing: sessions come back with their next event. It is said until the hub starts again.',
  },
};

function problems({ bus }: Facts): Finding[] {
  return (bus?.health?.problems ?? []).map((code) => {
    const known = PROBLEMS[code];
    if (known === undefined) return warning(code, `The hub says "${code}".`, 'See the log of the hub.');
    return code === 'not_committed'
      ? broken(code, known.message, known.mend)
      : warning(code, known.message, known.mend);
  });
}
