import { describe, expect, it } from 'vitest';
import { CLAUDE_EVENTS } from '../../../../protocol/adapters/claude.ts';
import type { CanonicalEvent } from '../../../../protocol/events.ts';
import { digestOf, eventOf, fixture, fixtureNames } from '../../../support/adapting.ts';

type Expected = Partial<CanonicalEvent> & Pick<CanonicalEvent, 'event'>;

const BASE: Partial<CanonicalEvent> = {
  v: 1,
  provider: 'codebuddy',
  host: 'studio',
  session_id: 'cb-7d0c1b52',
  cwd: '/home/dev/shop',
  transcript: '/home/dev/.codebuddy/projects/shop/cb-7d0c1b52.jsonl',
  permission_mode: 'default',
};

/** Each payload and all that may be left of it. */
const PAYLOADS: Readonly<Record<string, Expected>> = {
  'Notification-no-type': { event: 'Notification' },
  'Notification-permission_prompt': { event: 'Notification', notification: 'permission_prompt' },
  PostToolUse: { event: 'PostToolUse', tool: 'Bash', digest: digestOf('{"command":"npm test"}') },
  PreCompact: { event: 'Other', native: 'PreCompact' },
  SessionEnd: { event: 'SessionEnd', reason: 'other' },
  SessionStart: { event: 'SessionStart', source: 'startup' },
  SubagentStop: { event: 'SubagentStop' },
  UserPromptSubmit: { event: 'UserPromptSubmit' },
};

const codebuddy = (event: string, fields: object = {}): CanonicalEvent =>
  eventOf('codebuddy', { hook_event_name: event, session_id: 's1', ...fields });

describe("CodeBuddy's adapter", () => {
  it('has a row for every example payload', () => {
    expect(Object.keys(PAYLOADS).sort()).toEqual(fixtureNames('codebuddy'));
  });

  it.each(Object.entries(PAYLOADS))('%s leaves exactly the fields that are allowed', (name, expected) => {
    expect(eventOf('codebuddy', fixture('codebuddy', name))).toEqual({ ...BASE, ...expected });
  });

  it.each([...CLAUDE_EVENTS])('knows Claude’s %s', (name, event) => {
    expect(codebuddy(name).event).toBe(name === 'PreCompact' ? 'Other' : event);
  });
});
