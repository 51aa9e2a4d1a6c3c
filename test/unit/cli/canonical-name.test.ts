import { expect, it } from 'vitest';
import { canonicalName } from '../../../cli/hooks/canonical-name.ts';

it.each([
  ['claude', 'PermissionRequest', 'PermissionRequest'],
  ['copilot', 'agentStop', 'Stop'],
  ['opencode', 'permission.asked', 'PermissionRequest'],
  ['opencode', 'chat.message', 'UserPromptSubmit'],
  ['opencode', 'session.status', undefined],
  ['amp', 'agent.end', 'Stop'],
])("%s's %s is %s to the hub", (provider, event, expected) => {
  expect(canonicalName(provider, event)).toBe(expected);
});
