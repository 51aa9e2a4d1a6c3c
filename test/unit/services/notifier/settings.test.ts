import { describe, expect, it } from 'vitest';
import { quietUntil } from '../../../../services/notifier/quiet-hours.ts';
import { Driver, keyOf, MINUTE, NOON, SECOND } from './desk-driver.ts';

const SHOP = `codex-${keyOf('shop')}`;
const HOUR = 60 * MINUTE;

describe('priorities by kind', () => {
  it.each([
    ['permission', 4],
    ['question', 4],
    ['plan_approval', 4],
    ['elicitation', 4],
    ['account', 4],
    ['notification', 3],
    ['possible_question', 2],
  ] as const)('%s: %i', async (kind, priority) => {
    const driver = new Driver();
    await driver.waits('shop', { open: [kind] });
    expect(driver.server).toEqual([`${priority} Codex waiting: shop`]);
  });

  it('dialog: none', async () => {
    const driver = new Driver();
    await driver.waits('shop', { open: ['dialog'] });
    expect(driver.server).toEqual([]);
    expect(driver.ledger('shop')).toEqual(['suppressed priority']);
  });

  it('of several requests the one that matters most, with its tool; not one that is acknowledged', async () => {
    const driver = new Driver();
    const open = [
      { kind: 'permission', tool: 'Bash' },
      { kind: 'permission', tool: 'Edit', acked: true },
      { kind: 'possible_question' },
    ] as const;
    await driver.waits('shop', { open });
    expect(driver.messages[0]?.message).toBe('Asks for a permission: Bash');
  });

  it('may be set, and 0 tells nothing', async () => {
    const driver = new Driver({ notify: { priorities: { permission: 5, question: 0 } } });
    await driver.waits('shop');
    await driver.waits('api', { provider: 'claude', open: ['question'] });
    expect(driver.server).toEqual(['5 Codex waiting: shop']);
  });
});

describe('rules', () => {
  const notify = {
    providers: { codex: { enabled: false }, claude: { priority: 2, topic: 'mine' } },
    projects: { 'client/*': { topic: 'work', priority: 5 }, loud: { enabled: true, priority: 5 } },
  };
  it.each([
    ['shop', 'codex', undefined, ['suppressed rule']],
    ['shop', 'gemini', [4, 'claudeCodeWaitingOnYou'], ['sent']],
    ['shop', 'claude', [2, 'mine'], ['sent']],
    ['client/web', 'claude', [5, 'work'], ['sent']],
    ['client/web/deep', 'claude', [2, 'mine'], ['sent']],
    ['loud', 'codex', [5, 'claudeCodeWaitingOnYou'], ['sent']],
  ])('%s of %s', async (project, provider, expected, decided) => {
    const driver = new Driver({ notify });
    await driver.waits(project, { provider });
    const [sent] = driver.messages;
    expect(sent && [sent.priority, sent.topic]).toEqual(expected);
    expect(driver.ledger(project, provider)).toEqual(decided);
  });
});

describe('on', () => {
  it('tells of waits alone by default', async () => {
    const driver = new Driver();
    await driver.session('shop', 'done', { reason: 'stop' });
    await driver.session('api', 'error', { reason: 'rate_limit' });
    await driver.wait(MINUTE);
    expect(driver.server).toEqual([]);
  });

  it('tells of failures and ends too, after the settle time, and clears what goes on', async () => {
    const driver = new Driver({ notify: { on: ['error', 'done'] } });
    await driver.waits('docs', { provider: 'gemini' });
    await driver.session('shop', 'done', { reason: 'stop' });
    await driver.session('api', 'error', { provider: 'claude', reason: 'rate_limit' });
    expect(driver.server).toEqual([]);
    await driver.wait(SECOND);
    expect(driver.server).toEqual(['3 Codex done: shop', '3 Claude failed: api']);
    expect(driver.messages[1]?.message).toBe('The turn has failed: rate_limit');
    await driver.session('shop', 'running');
    // Its time is over; that it failed stays true.
    await driver.gone('api', 'claude');
    expect(driver.server.slice(2)).toEqual([`clear ${SHOP}`]);
    expect(driver.ledger('docs', 'gemini')).toEqual(['suppressed not_wanted']);
  });

  it.each([
    ['was replayed', { replayed: true as const }, true],
    ['was retained', {}, false],
    ['is paused', { lamp: 'paused' as const }, true],
  ])('a failure that %s is not told', async (_what, given, live) => {
    const driver = new Driver({ notify: { on: ['error'] } });
    await driver.session('shop', 'error', { reason: 'rate_limit', ...given }, live);
    await driver.wait(MINUTE);
    expect(driver.server).toEqual([]);
  });

  it('nor is the end of a process', async () => {
    const driver = new Driver({ notify: { on: ['error'] } });
    await driver.session('shop', 'error', { reason: 'process_gone' });
    await driver.wait(MINUTE);
    expect(driver.server).toEqual([]);
  });
});

describe('quiet hours', () => {
  const at = (hours: number, minutes = 0, day = 1): number =>
    new Date(2026, 0, day, hours, minutes).getTime();
  it.each([
    ['22:30', '07:00', 0, at(22, 29), undefined],
    ['22:30', '07:00', 0, at(22, 30), at(7, 0, 2)],
    ['22:30', '07:00', 0, at(6, 59), at(7)],
    ['22:30', '07:00', 0, at(7), undefined],
    ['12:00', '13:00', 0, at(12, 59), at(13)],
    ['12:00', '13:00', 0, at(13), undefined],
    ['00:00', '00:00', 0, at(0), undefined],
    ['', '', 0, at(3), undefined],
    ['22:30', '07:00', 4, at(23), undefined],
    ['22:30', '07:00', 5, at(23), at(7, 0, 2)],
  ])('%s to %s, through from %i', (from, to, let_through, now, until) => {
    expect(quietUntil({ from, to, let_through }, 4, now)).toBe(until);
  });

  it('hold a wait, which is told at their end if it still stands', async () => {
    const driver = new Driver({
      notify: { quiet_hours: { from: '11:00', to: '13:00' }, on: ['needs_user', 'done'] },
    });
    await driver.waits('shop');
    await driver.waits('api', { provider: 'claude' });
    await driver.session('docs', 'done', { provider: 'gemini' });
    await driver.wait(HOUR - SECOND);
    await driver.session('api', 'running', { provider: 'claude' });
    expect(driver.server).toEqual([]);
    await driver.wait(SECOND);
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
    expect(driver.ledger('shop')).toEqual(['held quiet_hours', 'sent']);
    expect(driver.ledger('docs', 'gemini')).toEqual(['suppressed quiet_hours']);
    expect(driver.now).toBe(NOON + HOUR);
  });
});

describe('presence', () => {
  it('holds a message while the terminal has input, and lets it go when that has stopped', async () => {
    const driver = new Driver();
    driver.input = driver.now - SECOND;
    await driver.waits('shop');
    await driver.wait(3 * SECOND);
    driver.input = driver.now;
    await driver.wait(4 * SECOND);
    expect(driver.server).toEqual([]);
    await driver.wait(SECOND);
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
    expect(driver.ledger('shop')).toEqual(['held presence', 'sent']);
  });

  it.each([
    ['no source', { presence: 5 }, undefined],
    ['old input', { presence: 5 }, -6 * SECOND],
    ['input ahead of a clock that was set back', { presence: 5 }, HOUR],
    ['a switch that is off', { presence: 0 }, 0],
  ])('with %s nothing is held', async (_what, notify, ago) => {
    const driver = new Driver({ notify });
    driver.input = ago === undefined ? undefined : driver.now + ago;
    await driver.waits('shop');
    expect(driver.server).toEqual(['4 Codex waiting: shop']);
  });
});

describe('the text', () => {
  it('is in German too', async () => {
    const driver = new Driver({ notify: { language: 'de', click: 'http://desk.local:4787/' } });
    await driver.waits('shop', { open: [{ kind: 'permission', tool: 'Bash' }] });
    expect(driver.messages[0]).toMatchObject({
      title: 'Codex wartet: shop',
      message: 'Bittet um eine Erlaubnis: Bash',
      click: 'http://desk.local:4787/',
    });
  });

  it('never grows beyond what the server takes', async () => {
    const driver = new Driver();
    await driver.waits('日'.repeat(3000), { open: [{ kind: 'permission', tool: '🔴'.repeat(3000) }] });
    const [message] = driver.messages;
    expect(Buffer.byteLength(message?.message ?? '')).toBeLessThanOrEqual(4095);
    expect(Buffer.byteLength(message?.title ?? '')).toBeLessThanOrEqual(250);
  });
});
