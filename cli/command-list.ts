import type { Command } from 'commander';
import { ackCommand } from './commands/ack.ts';
import { clearCommand } from './commands/clear.ts';
import { completionCommand } from './commands/completion.ts';
import { configCommand } from './commands/config.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { explainCommand } from './commands/explain.ts';
import { hookCommand } from './commands/hook.ts';
import { hooksCommand } from './commands/hooks.ts';
import { pauseCommand } from './commands/pause.ts';
import { initCommand } from './commands/init.ts';
import { recordCommand } from './commands/record.ts';
import { replayCommand } from './commands/replay.ts';
import { resumeCommand } from './commands/resume.ts';
import { serviceCommand } from './commands/service.ts';
import { sessionsCommand } from './commands/sessions.ts';
import { signalCommand } from './commands/signal.ts';
import { snoozeCommand } from './commands/snooze.ts';
import { statsCommand } from './commands/stats.ts';
import { statusCommand } from './commands/status.ts';
import { uninstallCommand } from './commands/uninstall.ts';
import { upCommand } from './commands/up.ts';
import type { CommandContext } from './context.ts';

/**
 * Makes one command: its arguments and help. Loads nothing that the command needs to run; its action imports that (`signalbox --version` would wait for MQTT and
 * SQLite otherwise).
 */
export type CommandMaker = (context: CommandContext) => Command;

/** A heading of the help and its commands. A new command is one line here. */
export const COMMANDS: readonly { readonly heading: string; readonly commands: readonly CommandMaker[] }[] = [
  {
    heading: 'Run',
    commands: [upCommand, demoCommand],
  },
  {
    heading: 'See',
    commands: [statusCommand, sessionsCommand, explainCommand, statsCommand, replayCommand, recordCommand],
  },
  {
    heading: 'Tell',
    commands: [signalCommand, hookCommand],
  },
  {
    heading: 'Answer',
    commands: [ackCommand, snoozeCommand, pauseCommand, resumeCommand, clearCommand],
  },
  {
    heading: 'Set up',
    commands: [
      initCommand,
      hooksCommand,
      serviceCommand,
      doctorCommand,
      configCommand,
      completionCommand,
      uninstallCommand,
    ],
  },
];
