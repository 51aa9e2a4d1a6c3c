import type { Command } from 'commander';
import { configCommand } from './commands/config.ts';
import { doctorCommand } from './commands/doctor.ts';
