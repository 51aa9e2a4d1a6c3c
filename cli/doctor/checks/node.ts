import { broken, type Check, ok } from '../check.ts';

/** As package.json says under `engines`. */
const LEAST = { major: 20, minor: 19 };

export const nodeCheck: Check = {
  name: 'node',
  run() {
    const found = process.versions.node;
    const [major = 0, minor = 0] = found.split('.').map(Number);
    if (major > LEAST.major || (major === LEAST.major && minor >= LEAST.minor))
      return [ok(`Node.js ${found}`, { version: found })];
    const wanted = `${LEAST.major}.${LEAST.minor}`;
    const message = `Node.js ${found} is older than what Signalbox is made for (${wanted}).`;
    return [broken('node_too_old', message, `Install Node.js ${wanted} or newer, and start the hub again.`)];
  },
};
