import { PLACES } from '../../../hooks/installers/agents.ts';
import { enabledPlugins } from '../../../hooks/installers/claude-places.ts';
import { SignalboxError } from '../../../protocol/errors.ts';
import { type Installing, installingOn } from '../../hooks/installing.ts';
import { bundledSender } from '../../hooks/run-sender.ts';
import { broken, type Check, ok, warning } from '../check.ts';

const MEND = 'Put this version there: signalbox hooks sender --install';

/** The program that agents' hooks run. */
export const senderCheck: Check = {
  name: 'sender',
  run({ context, settings }) {
    const installing = installingOn(context, settings);
    const { path } = installing.sender;
    switch (installing.sender.state(bundledSender())) {
      case 'current':
        return [ok(path, { path })];
      case 'outdated':
        return [warning('sender_outdated', `${path} is not as this version brings it.`, MEND, { path })];
      case 'missing': {
        if (!isCalled(installing, context.cwd)) return [];
        const message = `Agents run ${path} on their events, and it is not there: nothing of them arrives.`;
        return [broken('sender_missing', message, MEND, { path })];
      }
    }
  },
};

function isCalled({ installer, machine }: Installing, cwd: string): boolean {
  if (enabledPlugins(machine, cwd).length > 0) return true;
  return PLACES.some((agent) => {
    try {
      return installer.installed(agent).length > 0;
    } catch (error) {
      if (!(error instanceof SignalboxError)) throw error;
      return false;
    }
  });
}
