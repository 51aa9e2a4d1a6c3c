import { describe, expect, it } from 'vitest';
import { clickOf } from '../../../cli/status/bar/click.ts';

describe('a line of clicks', () => {
  it.each([
    ['[{"name":"signalbox","instance":"codex","button":3}', { provider: 'codex' }],
    [',{"name":"signalbox","instance":"my-agent_2","button":3,"x":1}', { provider: 'my-agent_2' }],
    // Of our one block for all.
    [',{"name":"signalbox","button":3}', {}],
    // As i3blocks sends it, raw and as JSON.
    ['3', {}],
    ['{"":"","name":"signalbox","instance":"","button":"3","full_text":"x"}', {}],
  ])('%s is a right click', (line, click) => {
    expect(clickOf(line)).toEqual(click);
  });

  it.each([
    '',
    '[',
    ',',
    '1',
    '"3"',
    'null',
    '[3]',
    'nonsense',
    '{"button":1,"name":"signalbox"}',
    '{"button":[3,3],"name":"signalbox"}',
    '{"name":"signalbox","instance":"codex"}',
    '{"button":3',
    // On somebody else's block.
    '{"name":"volume","button":3}',
    '{"button":3}',
  ])('%s is none', (line) => {
    expect(clickOf(line)).toBeUndefined();
  });

  it.each(['../x', 'a b', 'x'.repeat(33), 'CODEX', 'a\u0000', 7])('knows no agent named %j', (instance) => {
    expect(clickOf(JSON.stringify({ name: 'signalbox', instance, button: 3 }))).toBeUndefined();
  });
});
