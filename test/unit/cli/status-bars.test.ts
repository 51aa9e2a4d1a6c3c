import { describe, expect, it } from 'vitest';
import type { Bar } from '../../../cli/status/bar/bar.ts';
import { nameText } from '../../../cli/status/bar/bar-text.ts';
import { argosFormat } from '../../../cli/status/formats/argos.ts';
import { i3barFormat } from '../../../cli/status/formats/i3bar.ts';
import { i3blocksFormat } from '../../../cli/status/formats/i3blocks.ts';
import { polybarFormat } from '../../../cli/status/formats/polybar.ts';
import { starshipFormat } from '../../../cli/status/formats/starship.ts';
import { swiftbarFormat } from '../../../cli/status/formats/swiftbar.ts';
import { tmuxFormat } from '../../../cli/status/formats/tmux.ts';
import { waybarFormat } from '../../../cli/status/formats/waybar.ts';
import { xbarFormat } from '../../../cli/status/formats/xbar.ts';
import { LAMP_CURVES, LAMP_RGB } from '../../../protocol/curves.ts';
import { LAMP_STATES } from '../../../protocol/states.ts';
import { readArgos } from '../../support/bars/argos.ts';
import type { BitBarMenu } from '../../support/bars/bitbar.ts';
import { HOSTILE_NAMES } from '../../support/bars/hostile-names.ts';
import { barWith, command, NOW, waitIn } from '../../support/bars/making.ts';
import { readPolybar } from '../../support/bars/polybar.ts';
import { readSwiftBar, swiftBarContent } from '../../support/bars/swiftbar.ts';
import { readWaybar } from '../../support/bars/waybar.ts';
import { readXbar } from '../../support/bars/xbar.ts';
import { sessionOf, signalOf } from '../../support/cli-hub.ts';

/** The bar of a project with this name in a signal and in a session. */
function barOfProject(project: string): Bar {
  const key = 'b7c8d9e0f1a2';
  const session = sessionOf(key, {
    provider: 'codex',
    project,
    state: 'needs_user',
    reason: 'permission_request',
    lamp: 'permission',
    since: NOW / 1000 - 125,
    attentions: [{ id: 'a', kind: 'permission', tool: project || 'Bash', opened_at: 1 }],
  });
  return barWith({ codex: waitIn('Codex', project), claude: signalOf('Claude') }, { sessions: [session] });
}

/** What a bar has to say of that project, in front of nothing and behind nothing. */
function said(project: string): string {
  return project === '' ? '! Codex: permission 2 min' : `! Codex ${nameText(project)}: permission 2 min`;
}

/** The rows of a menu that carry names, and every command in it. */
function expectMenu({ header, body }: BitBarMenu, project: string, drawn: (text: string) => string): void {
  expect(header.map(({ text }) => text)).toEqual([drawn(said(project))]);
  const tool = nameText(project || 'Bash');
  expect(
    body.map((line) => (line === 'separator' ? '---' : `${'--'.repeat(line.level)}${line.text}`)),
  ).toEqual([
    '! Codex: waiting',
    drawn(`! ${nameText(project)}: permission (${tool}) 2 min`).trim(),
    '--Acknowledge',
    '--Snooze for 10 min',
    '∙ Claude: idle',
    '---',
    'Acknowledge all that waits',
    'Pause for 30 min',
  ]);
  const commands = [...header, ...body].flatMap((line) =>
    line === 'separator' || line.command === undefined ? [] : [line.command],
  );
  expect(commands).toEqual([
    command('ack', 'b7c8d9e0f1a2'),
    command('snooze', 'b7c8d9e0f1a2'),
    command('ack'),
    command('pause', '30'),
  ]);
}

const pipeDrawn = (text: string): string => text.replaceAll('|', '¦');

describe.each(HOSTILE_NAMES)('a project named %j shows that name and nothing else', (project) => {
  const bar = barOfProject(project);

  it('in SwiftBar, once and as a stream', () => {
    const drawn = (text: string): string =>
      pipeDrawn(text).replace(/~{3,}/g, (run) => '∼'.repeat(run.length));
    expectMenu(readSwiftBar(swiftbarFormat.once(bar, command)), project, drawn);
    const piece = swiftbarFormat.frame?.(bar, command) ?? '';
    expectMenu(readSwiftBar(swiftBarContent(['~~~\nold | color=red\n', piece])), project, drawn);
  });

  it('in xbar', () => {
    expectMenu(readXbar(xbarFormat.once(bar, command)), project, pipeDrawn);
  });

  it('in Argos', () => {
    expectMenu(readArgos(argosFormat.once(bar, command)), project, pipeDrawn);
  });

  it('in Waybar', () => {
    const line = waybarFormat.once(bar, command);
    expect(line.split('\n')).toHaveLength(2);
    expect(readWaybar(line)).toEqual({
      text: said(project),
      tooltip: [said(project), '∙ Claude: idle'],
      alt: 'permission',
      classes: ['permission', 'waiting'],
    });
  });

  it('in i3bar', () => {
    const line = i3barFormat.frame?.(bar, command) ?? '';
    expect(line).toMatch(/^[^\n]*,\n$/);
    expect(JSON.parse(line.slice(0, -2))).toEqual([
      {
        name: 'signalbox',
        instance: 'codex',
        full_text: said(project),
        short_text: '!',
        color: '#e5484d',
        urgent: true,
      },
    ]);
  });

  it('in i3blocks', () => {
    const line = i3blocksFormat.once(bar, command);
    expect(line.split('\n')).toHaveLength(2);
    // 1.4 reads JSON by its quotes, and knows no backslash.
    expect(line).not.toContain('\\');
    expect(JSON.parse(line)).toEqual({
      full_text: said(project).replaceAll('"', '″').replaceAll('\\', '∖'),
      short_text: '!',
      color: '#e5484d',
      urgent: 'true',
    });
  });

  it('in polybar', () => {
    const line = polybarFormat.once(bar, command);
    expect(line.split('\n')).toHaveLength(2);
    expect(readPolybar(line.trimEnd())).toEqual({
      text: said(project).replaceAll('%{', '% {'),
      tags: ['F#e5484d', 'F-'],
    });
  });

  it('in starship', () => {
    expect(starshipFormat.once(bar, command)).toBe(`${said(project)}\n`);
  });
});

const FORMATS = {
  swiftbar: swiftbarFormat,
  xbar: xbarFormat,
  argos: argosFormat,
  waybar: waybarFormat,
  i3bar: i3barFormat,
  i3blocks: i3blocksFormat,
  polybar: polybarFormat,
  tmux: tmuxFormat,
  starship: starshipFormat,
};

describe.each(Object.entries(FORMATS))('%s', (_name, format) => {
  const frame = (bar: Bar): string => (format.frame ?? format.once)(bar, command);

  it.each(LAMP_STATES)('has a sign for %s', (lamp) => {
    expect(frame(barWith({ codex: signalOf('Codex', lamp) }))).toContain(LAMP_CURVES[lamp].glyph);
  });

  it('never shows a state while no hub is there, and is never green then', () => {
    const gone = { state: 'gone', since: NOW, reason: 'it has stopped' } as const;
    const text = frame(barWith({ codex: waitIn('Codex', 'web-shop') }, {}, gone));
    expect(text).toContain('offline');
    expect(text).not.toMatch(/web-shop|Codex|ack|pause/);
    expect(text).not.toMatch(new RegExp(`${LAMP_RGB.green.toString(16)}|fg=green`));
  });

  it('is not green for an agent that nothing was heard of', () => {
    const text = frame(barWith({ codex: signalOf('Codex') }, { provider: 'claude' }));
    expect(text).toContain(`${LAMP_CURVES.stale.glyph} not known`);
    expect(text).not.toMatch(new RegExp(`${LAMP_RGB.green.toString(16)}|fg=green`));
  });

  it('ends each frame with a newline, and makes the same frame of the same bar', () => {
    const bar = barWith({ codex: waitIn('Codex', 'web-shop') });
    expect(frame(bar)).toMatch(/\n$/);
    expect(frame(bar)).toBe(frame(barWith({ codex: waitIn('Codex', 'web-shop') })));
  });
});

describe('the rhythm on SwiftBar', () => {
  const colours = (lamp: (typeof LAMP_STATES)[number], at: readonly number[]): (string | undefined)[] =>
    at.map((ms) => {
      const bar = barWith({ codex: signalOf('Codex', lamp) }, { now: ms });
      return readSwiftBar(swiftBarContent([swiftbarFormat.frame?.(bar, command) ?? ''])).header[0]?.colour;
    });

  it.each([
    ['permission', [400, 1_200]],
    ['blocked', [100, 350]],
    ['active', [0, 1_500]],
    ['stale', [400, 1_200]],
  ] as const)('moves for %s', (lamp, at) => {
    const [one, other] = colours(lamp, at);
    expect(one).not.toBe(other);
  });

  it.each(['ready', 'paused'] as const)('is still for %s', (lamp) => {
    expect(new Set(colours(lamp, [0, 300, 600, 900, 1_200])).size).toBe(1);
  });

  it('changes the head alone: an open menu is not drawn again', () => {
    const body = (now: number): unknown =>
      readSwiftBar(
        swiftBarContent([
          swiftbarFormat.frame?.({ ...barOfProject('web-shop'), now: NOW + now }, command) ?? '',
        ]),
      ).body;
    expect(body(400)).toEqual(body(1_200));
  });

  it('keeps each frame in one piece', () => {
    expect(swiftbarFormat.frame?.(barOfProject('web-shop'), command)).toMatch(/^~~~\n(?:(?!~~~)[\s\S])*\n$/);
  });
});

describe('a command that a host can not write down', () => {
  const odd = (): readonly string[] => ['/opt/no"de\'s', 'main.js'];

  it('is left out rather than changed', () => {
    const bar = barOfProject('web-shop');
    for (const menu of [readSwiftBar(swiftbarFormat.once(bar, odd)), readXbar(xbarFormat.once(bar, odd))])
      expect(menu.body.filter((line) => line !== 'separator' && line.command !== undefined)).toEqual([]);
    const argos = readArgos(argosFormat.once(bar, odd)).body;
    expect(argos.some((line) => line !== 'separator' && line.command?.[0] === '/opt/no"de\'s')).toBe(true);
  });
});
