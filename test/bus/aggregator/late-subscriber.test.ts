import { it } from 'vitest';
import { viewBus } from '../../support/bus-viewer.ts';
import { until } from '../../support/until.ts';
import { startInProcess } from './hub-in-process.ts';

it('a subscriber that comes while states change ends with the last ones, never with what was retained before', async () => {
  const { port, send, published, bus } = await startInProcess();
  for (let index = 0; index < 60; index += 1) await send('UserPromptSubmit', `session-${index}`);
  for (let round = 0; round < 20; round += 1) {
    const viewer = await viewBus({ port });
    const name = round % 2 === 0 ? 'PermissionRequest' : 'Stop';
    // Every retained topic changes while the subscriber is still getting what was there before.
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => send(name, `session-${index}`, { turn_id: `${round}` })),
    );
    await send('UserPromptSubmit', `session-${round}`);
    await published();
    const topics = [...new Set(bus.seen.map(({ topic }) => topic))].filter((topic) =>
      /^(?:session|lamp|line|signal\/\w+$)/.test(topic),
    );
    await until(() => topics.every((topic) => viewer.last(topic) !== undefined));
    await published();
    // A value that was overtaken would stay for ever.
    await until(() => topics.every((topic) => viewer.last(topic) === bus.last(topic)));
    await viewer.close();
  }
});
