import { describe, expect, it } from 'vitest';
import { docBlocks, docPages } from '../support/doc-blocks.ts';
import { createDocShell } from '../support/doc-shell.ts';
import { until } from '../support/until.ts';

const DOCKER =
  'needs Docker; the image and the Compose file are tested without it, in image.test.ts and compose.test.ts';

/** Commands of the documents that no test can run, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'CI installs with npm ci; every test of the hub starts the same program',
  'npm run test:setup && npm ci && npm test': 'it is what CI runs',
  'npm link': "changes npm's folder of global programs",
  'docker compose up -d': DOCKER,
  'SIGNALBOX_DATA=~/.local/share/signalbox SIGNALBOX_USER=$(id -u):$(id -g) docker compose up -d': DOCKER,
  '(umask 077; head -c 24 /dev/urandom | base64 > broker-password)\nexport SIGNALBOX_BROKER_PASSWORD_FILE=./broker-password\nSIGNALBOX_BROKER_URL=mqtt://127.0.0.1:1884 docker compose --profile mosquitto up -d':
    DOCKER,
  'signalbox up --broker-url mqtt://broker.example:1883 --prefix team/alice':
    'names a broker that does not exist; another one is tried in other-broker.test.ts',
  'npm run -s signalbox -- init --yes --ntfy-server https://ntfy.example.org':
    'names a server that does not exist; a real one is tried in init-phone.test.ts',
};

const pages = docPages();

describe('every command of a document runs as it stands', () => {
  it.each(pages)('%s', { timeout: 240_000 }, async (page) => {
    const shell = createDocShell();
    const hub = await shell.background('signalbox up');
    await until(() => shell.hub() !== undefined);
    const running = [];
    for (const { line, mode, commands } of docBlocks(page)) {
      const at = `${page}:${line}`;
      if (mode === 'elsewhere') continue;
      if (mode === 'background') {
        running.push({ at, command: await shell.background(commands) });
        continue;
      }
      const { status, output } = await shell.run(commands);
      expect(status, `${at}\n${commands}\n${output}`).toBe(0);
    }
    for (const { at, command } of running) {
      expect(await command.interrupt(), `${at}\n${command.output()}`).toSatisfy(endsWell);
    }
    expect(await hub.interrupt(), `the hub:\n${hub.output()}`).toBe(0);
  });

  it('leaves out only what is known to be left out, and why', () => {
    const left = pages.flatMap((page) =>
      docBlocks(page)
        .filter(({ mode }) => mode === 'elsewhere')
        .map(({ commands }) => commands),
    );
    expect(new Set(left)).toEqual(new Set(Object.keys(ELSEWHERE)));
  });
});

/** Ours end with 0; somebody else's client and npm end by the signal itself. */
function endsWell(ending: number | string | null): boolean {
  return ending === 0 || ending === 130 || ending === 'SIGINT';
}
