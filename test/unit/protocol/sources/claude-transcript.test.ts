import { describe, expect, it } from 'vitest';
import { readTranscriptLine } from '../../../../protocol/sources/claude-transcript.ts';

const AT = '2026-11-30T10:46:14.342Z';

function mark(more: object = {}, text = '[Request interrupted by user for tool use]'): string {
  return JSON.stringify({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text }] },
    timestamp: AT,
    sessionId: 's1',
    ...more,
  });
}

describe('a transcript of Claude Code', () => {
  it.each([[mark()], [mark({}, '[Request interrupted by user]')]])(
    'tells an interrupt, without a word of it',
    (line) => {
      expect(readTranscriptLine(line, 's1')).toEqual({
        v: 1,
        event: 'Interrupt',
        provider: 'claude',
        session_id: 's1',
        sent_at: Date.parse(AT),
        enveloped: true,
      });
    },
  );

  it.each<[string, string]>([
    ['another line', '{"type":"assistant","message":{"content":[{"type":"text","text":"Hello"}]}}'],
    [
      'what the user has typed',
      mark({ message: { role: 'user', content: '[Request interrupted by user]' } }),
    ],
    ['what the agent says of it', mark({ type: 'assistant' })],
    ['a word about it', mark({}, 'It says [Request interrupted by user]')],
    ['a subagent’s', mark({ isSidechain: true })],
    ['another session’s', mark({ sessionId: 's2' })],
    ['one without a time', mark({ timestamp: 'yesterday' })],
    ['an empty message', mark({ message: null, note: '[Request interrupted by user]' })],
    ['an empty list', mark({ message: { content: [] }, note: '[Request interrupted by user]' })],
    ['a list of texts', mark({ message: { content: ['[Request interrupted by user]'] } })],
    ['half a line', mark().slice(0, -10)],
    ['no object', '"[Request interrupted by user"'],
  ])('%s tells nothing', (_what, line) => {
    expect(readTranscriptLine(line, 's1')).toBeUndefined();
  });
});
