import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { dockerignore } from './image/build-context.ts';
import { parseDockerfile } from './image/dockerfile.ts';
import { runImage } from './image/trial-run.ts';
import { type BuiltStage, runStage } from './image/trial-stage.ts';

/**
 * `npm run image:check`: runs what the Dockerfile says without Docker. Each stage gets a folder that stands for its file system, RUN and COPY are run for real on what
 * .dockerignore lets through, then CMD, HEALTHCHECK and STOPSIGNAL. What it can't show is the base images. It compiles SQLite, which takes about a minute.
 */
const context = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'signalbox-image-'));
// The image's user has to get at it.
chmodSync(folder, 0o755);
const tell = (line: string): void => console.log(`image: ${line}`);
try {
  const stages = parseDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  const built = new Map<string, BuiltStage>();
  let last: BuiltStage | undefined;
  for (const stage of stages) {
    tell(`FROM ${stage.from}${stage.name === '' ? '' : ` AS ${stage.name}`}`);
    last = runStage(stage, built, {
      context,
      included: dockerignore(readFileSync(join(context, '.dockerignore'), 'utf8')),
      folder,
      env: surroundings(),
      tell,
    });
    built.set(stage.name, last);
  }
  if (last === undefined) throw new Error('the Dockerfile has no stage');
  for (const none of ['protocol', 'scripts', 'node_modules/typescript', 'node_modules/vitest'])
    if (existsSync(join(last.workdir, none))) throw new Error(`${none} is in the image and not needed there`);
  await runImage(last, tell);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** npm's own settings of this machine, so that its packages come from where they always come from, and this Node's headers. */
function surroundings(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(?:PATH|HOME|HTTPS?_PROXY|NO_PROXY|npm_config_(?:cache|registry|userconfig|cafile))$/i.test(name),
  );
  const prefix = dirname(dirname(process.execPath));
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])),
    ...(existsSync(join(prefix, 'include/node/node.h')) && { npm_package_config_node_gyp_nodedir: prefix }),
  };
}
