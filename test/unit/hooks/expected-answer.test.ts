import { describe, expect, it } from 'vitest';
import { expectedAnswer } from '../../../hooks/sender/expected-answer.ts';
import { payload, payloadNames } from '../../support/payloads.ts';

const answerTo = (provider: string, hook: unknown, event?: string): string =>
  expectedAnswer(provider, event, () => JSON.stringify(hook));

describe('what the agent expects on stdout', () => {
  it.each(payloadNames('codex'))('%s', (name) => {
    const hook = payload(name);
    const wanted = ['Stop', 'SubagentStop'].includes(String(hook['hook_event_name'])) ? '{}' : '';
    expect(answerTo('codex', hook)).toBe(wanted);
    expect(answerTo('Codex', hook)).toBe(wanted);
  });

  it.each(payloadNames('cursor'))('%s', (name) => {
    expect(answerTo('cursor', payload(name))).toBe('{}');
  });

  it.each(['claude', 'codex-notify', 'copilot', 'gemini', 'qwen'].flatMap(payloadNames))('%s', (name) => {
    expect(answerTo(name.split(/[-/]/)[0] ?? '', payload(name))).toBe('');
  });

  it('takes the event of the command line', () => {
    expect(answerTo('codex', {}, 'Stop')).toBe('{}');
    expect(answerTo('codex', { hook_event_name: 'Stop' }, 'PreToolUse')).toBe('');
  });

  it.each([
    ['in the input of a tool', { tool_input: { hook_event_name: 'Stop' }, hook_event_name: 'PreToolUse' }],
    ['in a list', { list: [{ hook_event_name: 'Stop' }], hook_event_name: 'PreToolUse' }],
    ['in a text', { prompt: '"hook_event_name":"Stop"', hook_event_name: 'UserPromptSubmit' }],
    ['behind backslashes', { prompt: '\\"},"hook_event_name":"Stop', hook_event_name: 'UserPromptSubmit' }],
    ['as a value', { key: 'hook_event_name', other: 'Stop' }],
    ['as no text', { hook_event_name: 7 }],
  ])("is not misled by the event's name %s", (_where, hook) => {
    expect(answerTo('codex', hook)).toBe('');
  });

  it.each(['', '{', '[', 'null', '"', '{"hook_event_name', '{"hook_event_name":', '}}}'])(
    'is silent for %j',
    (json) => {
      expect(expectedAnswer('codex', undefined, () => json)).toBe('');
    },
  );

  it('finds the name at any place, with spaces around', () => {
    const json = `{ "prompt" : "\\"" , "list": [1, {"a": "]"}], "hook_event_name" :\n "Stop" }`;
    expect(expectedAnswer('codex', undefined, () => json)).toBe('{}');
  });
});
