import { join } from 'node:path';
import type { AgentNotify } from '../agent-hooks.ts';
import { codex } from './codex.ts';

/** Codex' `notify`, beside its hooks and only where the user asks for it. */
export const codexNotify: AgentNotify = {
  provider: 'codex',
  record: 'codex-notify',
  event: 'agent-turn-complete',
  folder: codex.folder,
  file: (machine) => join(codex.folder(machine), 'config.toml'),
  afterwards: 'Sessions that you start from now on run it.',
  invisible: [],
};
