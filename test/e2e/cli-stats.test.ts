import { expect, it, vi } from 'vitest';
import { statsData } from '../../protocol/messages/stats.ts';
import { startHub } from '../support/hub.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal } from '../support/tmux.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 60_000 });

async function tell(url: string, event: string, session: string): Promise<void> {
  const response = await fetch(`${url}/hook/claude`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ event, session_id: session, cwd: `/home/me/${session}`, tool_name: 'Bash' }),
  });
  expect(response.status).toBe(204);
}

it('tells of waits that are over and of those that last, also after the hub was killed', async () => {
  const hub = await startHub();
  const asked = async (...args: string[]) => runCli(['stats', ...args], hub);
  const nothing = await asked();
  expect([nothing.status, nothing.stdout.split('\n')[0]]).toEqual([0, 'Nothing has been recorded yet.']);
  await tell(hub.url, 'PermissionRequest', 'web-shop\u001b[31m');
  await tell(hub.url, 'PermissionRequest', 'api');
  const json = async () => statsData.parse(JSON.parse((await asked('--json')).stdout));
  await until(async () => (await json()).total.waited_s >= 2);
  await hub.end('SIGKILL');
  const again = await startHub({ home: hub.home });
  await tell(again.url, 'PostToolUse', 'api');
  const found = await json();
  expect(found).toMatchObject({ open: 1, total: { waits: 2, expired: 0 }, by_reason: [{ waits: 2 }] });
  const terminal = await openTerminal({ home: hub.home });
  await terminal.signalbox('stats --by project');
  await terminal.waitFor((lines) => lines.includes('ready$') && lines.includes('One waits right now.'));
  const lines = await terminal.screen();
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Agents waited for you .* in the last 7 days, 2 times\.$/) as string,
      expect.stringMatching(/^PROJECT +WAITS +WAITED +LONGEST +MEDIAN +UNANSWERED$/) as string,
      expect.stringMatching(/^web-shop\S* +1 +\d/) as string,
      expect.stringMatching(/^api +1 +\d/) as string,
    ]),
  );
});

it.each([
  [['--days', '0'], /whole number from 1 to 366/],
  [['--days', '1e9'], /whole number from 1 to 366/],
  [['--by', 'year'], /day, project, reason/],
])('does not take %j', async (args, said) => {
  const { status, stderr } = await runCli(['stats', ...args], { home: temporaryFolder() });
  expect(status).toBe(2);
  expect(stderr).toMatch(said);
});

it('says so where no hub runs', async () => {
  const { status, stderr } = await runCli(['stats'], { home: temporaryFolder() });
  expect(status).toBe(1);
  expect(stderr).toMatch(/No hub answers.*\n.*signalbox up/);
});
