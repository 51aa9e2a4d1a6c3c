import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../hooks/sender/arguments.ts';

describe('arguments of the sender', () => {
  it.each([
    [['claude'], { provider: 'claude' }],
    [['Claude'], { provider: 'Claude' }],
    [['copilot', 'sessionEnd'], { provider: 'copilot', event: 'sessionEnd' }],
    [
      ['codex', '{"type":"agent-turn-complete"}'],
      { provider: 'codex', json: '{"type":"agent-turn-complete"}' },
    ],
    [['codex', 'notify', ' {"a":1}'], { provider: 'codex', event: 'notify', json: ' {"a":1}' }],
    [['codex', '', 'Stop'], { provider: 'codex', event: 'Stop' }],
    [['--envelope', 'qwen'], { provider: 'qwen', enveloped: true }],
    [['codex-notify', '{"type":"x"}'], { provider: 'codex', json: '{"type":"x"}' }],
    [
      ['codex-notify', '--', 'say', '--envelope', '{"type":"x"}'],
      { provider: 'codex', json: '{"type":"x"}', chained: ['say', '--envelope', '{"type":"x"}'] },
    ],
    [['codex-notify', '--', '{"type":"x"}'], { provider: 'codex', json: '{"type":"x"}' }],
    [['codex', '--', 'say', '{"type":"x"}'], { provider: 'codex', event: '--', json: '{"type":"x"}' }],
    [['qwen', '--envelope'], { provider: 'qwen', enveloped: true }],
  ])('%j', (argv, expected) => {
    expect(readArguments(argv)).toEqual({ enveloped: false, ...expected });
  });

  it.each([
    [[]],
    [['']],
    [['a/b']],
    [['#']],
    [['../x']],
    [['{"a":1}']],
    [['x'.repeat(33)]],
    [['--envelope']],
  ])('names no provider: %j', (argv) => {
    expect(readArguments(argv)).toBeUndefined();
  });
});
