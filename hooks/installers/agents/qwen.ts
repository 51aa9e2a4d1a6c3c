import type { AgentHooks } from '../agent-hooks.ts';
import { geminiSettings } from './gemini-settings.ts';

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PermissionRequest',
  'PermissionDenied',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'Stop',
  'StopFailure',
  'SessionEnd',
];

/** Qwen Code, which comes from Gemini CLI. */
export const qwen: AgentHooks = { ...geminiSettings('qwen', EVENTS), invisible: ['a killed process'] };
