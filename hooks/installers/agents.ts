import type { AgentHooks } from './agent-hooks.ts';
import { claude } from './agents/claude.ts';
import { codebuddy } from './agents/codebuddy.ts';
import { codex } from './agents/codex.ts';
import { copilot } from './agents/copilot.ts';
import { cursor } from './agents/cursor.ts';
import { gemini } from './agents/gemini.ts';
import { qwen } from './agents/qwen.ts';

/** The agents whose hooks stand in a file of settings. A new one is one line here. */
export const AGENTS: readonly AgentHooks[] = [claude, codex, gemini, qwen, cursor, copilot, codebuddy];
