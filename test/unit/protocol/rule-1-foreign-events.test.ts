import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { type Driver, drive, type Fields } from '../../support/driving.ts';

const BASH: Fields = { tool: 'Bash', digest: 'd1' };

function asked(): Driver {
  const driver = drive();
  driver.begin();
  driver.hook('PreToolUse', BASH);
  driver.hook('PermissionRequest', BASH);
  expect(driver.state()).toBe('needs_user');
  return driver;
}

describe('rule 1: what was opened without a tool', () => {
  it.each<[EventName, Fields]>([
    ['PostToolUse', { tool: 'Read' }],
    ['PostToolUseFailure', { tool: 'Read' }],
    ['PermissionDenied', { tool: 'Read' }],
    ['PostToolBatch', {}],
  ])('is closed by any %s of its agent', (event, fields) => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', { agent_id: 'a1' });
    driver.hook(event, { ...fields, agent_id: 'a2' });
    expect(driver.kinds()).toEqual(['permission']);
    driver.hook(event, { tool: 'Read', ...fields });
    expect(driver.kinds()).toEqual(['permission']);
    driver.hook(event, { ...fields, agent_id: 'a1' });
    expect(driver.kinds()).toEqual([]);
  });

  it.each<[EventName, Fields]>([
    ['PostToolUse', { tool: 'Read', agent_id: 'a1' }],
    ['PostToolBatch', { agent_id: 'a1' }],
  ])('is closed by any agent’s %s if it named none', (event, fields) => {
    const driver = drive();
    driver.begin();
    driver.hook('Notification');
    driver.hook('Elicitation');
    driver.hook(event, fields);
    expect(driver.kinds()).toEqual([]);
  });
});

describe('rule 1: a parallel tool’s events and another agent’s never clear a request', () => {
  it('a parallel tool begins and ends', () => {
    const driver = asked();
    for (const event of ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied'] as const)
      driver.hook(event, { tool: 'Read', digest: 'd2' });
    expect(driver.state()).toBe('needs_user');
  });

  it.each<[EventName, Fields]>([
    ['PreToolUse', BASH],
    ['PostToolUse', BASH],
    ['PostToolUseFailure', BASH],
    ['PermissionDenied', BASH],
    ['PostToolBatch', {}],
    ['ElicitationResult', {}],
    ['PostModelSwitch', {}],
    ['UserPromptSubmit', {}],
    ['SubagentStop', {}],
    ['Stop', {}],
    ['StopFailure', {}],
    ['Interrupt', {}],
    ['SessionEnd', {}],
    ['SessionStart', {}],
  ])('a subagent’s %s leaves the main agent’s and another subagent’s', (event, fields) => {
    const driver = asked();
    driver.hook('PermissionRequest', { ...BASH, agent_id: 'a2' });
    driver.hook('PermissionRequest', { ...BASH, agent_id: 'a1' });
    driver.hook('Elicitation', { agent_id: 'a2' });
    driver.hook('PreModelSwitch', { agent_id: 'a2' });
    driver.hook('SubagentStart', { agent_id: 'a1' });
    driver.hook(event, { ...fields, agent_id: 'a1' });
    const agents = driver.the().attentions.map((open) => open.agent_id);
    expect(agents.filter((agent) => agent !== 'a1')).toEqual([undefined, 'a2', 'a2', 'a2']);
  });

  it.each<[EventName, Fields]>([
    ['PostToolUse', BASH],
    ['PostToolBatch', {}],
    ['Stop', {}],
    ['StopFailure', {}],
    ['UserPromptSubmit', { prompt_id: 'p2' }],
  ])('the main agent’s %s leaves a subagent’s', (event, fields) => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', { ...BASH, agent_id: 'a1' });
    driver.hook(event, fields);
    expect(driver.state()).toBe('needs_user');
  });
});
