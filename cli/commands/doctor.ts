import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { DoctorOptions } from '../doctor/run-doctor.ts';
import { withBus } from '../options.ts';

const END = `
It changes nothing, and works with and without a running hub. Exit status 1
says that something is broken; warnings alone leave it at 0.

Examples:
  signalbox doctor
  signalbox doctor --json | jq .`;

export function doctorCommand(context: CommandContext): Command {
  const command = new Command('doctor')
    .summary('what is wrong, and how to mend it')
    .description('Looks at everything that Signalbox needs, and says what is wrong and how to mend it.')
    .option('--json', 'as JSON, with everything')
    .addHelpText('after', END);
  return withBus(command).action(async (options: DoctorOptions) => {
    const { runDoctor } = await import('../doctor/run-doctor.ts');
    await runDoctor(options, context);
  });
}
