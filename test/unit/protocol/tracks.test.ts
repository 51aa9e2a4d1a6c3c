import { expect, it } from 'vitest';
import { NEW_TRACK, type Track } from '../../../protocol/fold.ts';
import { Tracks } from '../../../protocol/tracks.ts';

function trackOf(steps: number): Track {
  const input = { event: { v: 1, event: 'Stop', provider: 'claude' }, moment: 1, arrival: 1 } as const;
  return { closed_until: 0, window: Array.from({ length: steps }, () => ({ input, before: undefined })) };
}

it('keeps what it was given, and knows nothing of the rest', () => {
  const tracks = new Tracks();
  const track = trackOf(3);
  tracks.set('a', track);
  expect(tracks.get('a')).toBe(track);
  expect(tracks.get('b')).toBe(NEW_TRACK);
  tracks.delete('a');
  expect(tracks.get('a')).toBe(NEW_TRACK);
});

it('above its bound, those that have been quiet longest lose theirs', () => {
  const tracks = new Tracks(10);
  tracks.set('a', trackOf(4));
  tracks.set('b', trackOf(4));
  tracks.set('a', trackOf(5));
  expect(tracks.get('b').window).toHaveLength(4);
  tracks.set('c', trackOf(5));
  expect(['a', 'b', 'c'].map((id) => tracks.get(id).window.length)).toEqual([5, 0, 5]);
});

it('the session that speaks keeps its own, however long', () => {
  const tracks = new Tracks(2);
  tracks.set('a', trackOf(2));
  tracks.set('b', trackOf(5));
  expect(['a', 'b'].map((id) => tracks.get(id).window.length)).toEqual([0, 5]);
});

it('forgets all at once', () => {
  const tracks = new Tracks(2);
  tracks.set('a', trackOf(2));
  tracks.clear();
  tracks.set('b', trackOf(2));
  expect(['a', 'b'].map((id) => tracks.get(id).window.length)).toEqual([0, 2]);
});

it('what has lost its window still knows what is too late for it', () => {
  const tracks = new Tracks(2);
  const old = trackOf(2);
  tracks.set('a', {
    ...old,
    window: old.window.map((step) => ({ ...step, input: { ...step.input, moment: 90_000 } })),
  });
  tracks.set('b', trackOf(2));
  expect(tracks.get('a')).toEqual({ closed_until: 60_000, window: [] });
  tracks.set('a', trackOf(1));
  expect(tracks.get('a').window).toHaveLength(1);
  tracks.set('b', trackOf(2));
  tracks.clear();
  expect(tracks.get('a')).toBe(NEW_TRACK);
});
