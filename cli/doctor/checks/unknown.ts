import { shortDuration } from '../../terminal/duration.ts';
import { type Check, warning } from '../check.ts';

/** Events that this version has no meaning for: their agent is newer. */
export const unknownCheck: Check = {
  name: 'unknown',
  run({ bus, settings, hub, now }) {
    // The hub counts from its start on; one of another broker doesn't say when that was.
    const since =
      hub.kind === 'running'
        ? ` in the ${shortDuration((now - hub.file.started_at) / 1000)} since the hub's start`
        : " since the hub's start";
    return (bus?.health?.unknown ?? []).map((unknown) => {
      const { provider, count, names } = unknown;
      const name = settings.registry.find(provider)?.name ?? provider;
      const events = count === 1 ? '1 event' : `${count} events`;
      const message = `${name} sent ${events} that this version doesn't know${since}: ${names.join(', ')}.`;
      return warning('unknown_events', message, 'They change nothing. Look for a newer Signalbox.', unknown);
    });
  },
};
