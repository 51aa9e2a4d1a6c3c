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
