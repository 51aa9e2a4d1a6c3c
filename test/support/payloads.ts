import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../fixtures/payloads/', import.meta.url);

/** Where an agent's example payload is, e.g. `claude/PermissionRequest`. */
export function payloadPath(name: string): string {
  return fileURLToPath(new URL(`${name}.json`, FOLDER));
}

/** An agent's example payload, as it hands it to a hook. */
export function payload(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(payloadPath(name), 'utf8')) as Record<string, unknown>;
}

/** Names of all example payloads of an agent, e.g. `claude/Stop`. */
export function payloadNames(agent: string): string[] {
  return readdirSync(new URL(`${agent}/`, FOLDER))
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${agent}/${name.slice(0, -'.json'.length)}`)
    .sort();
}
