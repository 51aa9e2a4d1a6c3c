import type { AgentHooks } from '../agent-hooks.ts';
import { geminiSettings } from './gemini-settings.ts';

/** Its events around the model fire for every chunk and are left out. */
const EVENTS = [
  'SessionStart',
  'BeforeAgent',
  'BeforeTool',
  'AfterTool',
  'Notification',
  'AfterAgent',
  'SessionEnd',
];

/** Gemini CLI. */
export const gemini: AgentHooks = {
  ...geminiSettings('gemini', EVENTS),
  invisible: ['"No" and Esc in a dialog', "an error of the model's server while it retries"],
};
