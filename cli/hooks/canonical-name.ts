import { adapt } from '../../protocol/adapters/adapt.ts';
import { createProviderRegistry } from '../../protocol/providers.ts';

const CONTEXT = {
  registry: createProviderRegistry([]),
  hasher: { hmac: () => '', sha256: () => '' },
  host: '',
  questions: false,
  titles: false,
};

/**
 * What the hub calls an agent's own event: the agent's adapter is asked, with a payload of that name and nothing else. Undefined for one that changes nothing, or whose name
 * alone doesn't tell.
 */
export function canonicalName(provider: string, event: string): string | undefined {
  // OpenCode's name for the session's id is another one.
  const hook = { hook_event_name: event, session_id: 'name', sessionID: 'name', cwd: '/' };
  const payload = JSON.stringify({ v: 1, id: 'name', event, hook });
  const adapted = adapt({ provider, payload, received: 0 }, CONTEXT);
  return adapted.ok && adapted.event.event !== 'Other' ? adapted.event.event : undefined;
}
