import type { Agent, AgentHooks, AgentPlugin } from './agent-hooks.ts';
import { amp } from './agents/amp.ts';
import { claude } from './agents/claude.ts';
import { codebuddy } from './agents/codebuddy.ts';
import { codex } from './agents/codex.ts';
import { codexNotify } from './agents/codex-notify.ts';
import { copilot } from './agents/copilot.ts';
import { cursor } from './agents/cursor.ts';
import { gemini } from './agents/gemini.ts';
import { opencode } from './agents/opencode.ts';
import { qwen } from './agents/qwen.ts';

/** The agents whose hooks stand in a file of settings. A new one is one line here. */
export const SETTINGS_AGENTS: readonly AgentHooks[] = [
  claude,
  codex,
  gemini,
  qwen,
  cursor,
  copilot,
  codebuddy,
];

/** The agents that run a program of ours. */
export const PLUGIN_AGENTS: readonly AgentPlugin[] = [opencode, amp];

export const AGENTS: readonly Agent[] = [...SETTINGS_AGENTS, ...PLUGIN_AGENTS];

/** Every place in which something of ours may be. */
export const PLACES: readonly Agent[] = [...AGENTS, codexNotify];
