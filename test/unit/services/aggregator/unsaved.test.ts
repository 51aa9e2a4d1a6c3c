import { expect, it } from 'vitest';
import type { Span } from '../../../../protocol/spans.ts';
import { Unsaved } from '../../../../services/aggregator/unsaved.ts';

const NOTHING = { sessions: new Map(), providers: new Map(), pauses: new Map() };

function span(ended_at: number): Span {
  return {
    provider: 'claude',
    key: '0123456789ab',
    project: 'shop',
    state: 'running',
    reason: 'tool_use',
    by_user: false,
    started_at: 0,
    ended_at,
    ended_by: 'stop',
  };
}

it('a disk that takes nothing for days costs bounded memory: of the history the newest is kept', () => {
  const unsaved = new Unsaved();
  for (let at = 0; at < 30_000; at += 100)
    unsaved.keep({ ...NOTHING, spans: Array.from({ length: 100 }, (_, index) => span(at + index)) });
  const { spans = [] } = unsaved.with({ ...NOTHING, spans: [span(30_000)] }, []);
  expect([spans.length, spans[0]?.ended_at, spans.at(-1)?.ended_at]).toEqual([10_001, 20_000, 30_000]);
  unsaved.clear();
  expect(unsaved.with(NOTHING, []).spans).toEqual([]);
});
