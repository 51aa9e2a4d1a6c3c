import type { CommandContext } from '../context.ts';
import { AlreadyTold } from '../failure.ts';
import type { SettingOptions } from '../options.ts';
import { lookAt } from '../terminal/look.ts';
import type { Check, Finding, Found } from './check.ts';
import { CHECKS } from './check-list.ts';
import { doctorText } from './doctor-text.ts';
import { type Facts, gatherFacts } from './facts.ts';

export interface DoctorOptions extends SettingOptions {
  readonly json?: true;
}

/** `signalbox doctor`. @throws AlreadyTold when something is broken */
export async function runDoctor(options: DoctorOptions, context: CommandContext): Promise<void> {
  const facts = await gatherFacts(options, context);
  const found: Found[] = [];
  for (const check of CHECKS) found.push(...(await findingsOf(check, facts)));
  const isBroken = found.some(({ level }) => level === 'broken');
  const { stdout } = context;
  stdout.write(options.json ? asJson(found) : doctorText(found, lookAt(context, facts.now)));
  if (isBroken) throw new AlreadyTold();
}

/** A check that fails itself is a finding too: the others go on. */
async function findingsOf({ name, run }: Check, facts: Facts): Promise<Found[]> {
  try {
    return (await run(facts)).map((finding) => ({ check: name, ...finding }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `This could not be looked at: ${reason}.`;
    return [{ check: name, level: 'warning', code: 'unexpected', message, mend: 'Report it.' }];
  }
}

function asJson(found: readonly Found[]): string {
  const count = (level: Finding['level']): number => found.filter((each) => each.level === level).length;
  const summary = { ok: count('broken') === 0, broken: count('broken'), warnings: count('warning') };
  return `${JSON.stringify({ ...summary, findings: found }, undefined, 2)}\n`;
}
