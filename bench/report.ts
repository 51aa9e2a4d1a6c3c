import { cpus, release, totalmem } from 'node:os';
import { type Figure, isMet, type Row } from './figure.ts';

/** What a figure came to. */
export interface Measured {
  readonly figure: Pick<Figure, 'name' | 'about'>;
  readonly rows: readonly Row[];
}

/** The machine that figures were taken on. @param now the date */
export function machineFacts(now: Date): Readonly<Record<string, string | number>> {
  return {
    cpu: cpus()[0]?.model ?? '',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    date: now.toISOString(),
  };
}

/** A figure's part of the table, with the goal beside each value. */
export function tableOf({ figure, rows }: Measured): string {
  const lines = rows.map((row) => {
    const cells = [
      `  ${row.name}`.padEnd(50),
      textOf(row.value, row.unit).padStart(14),
      goalOf(row).padStart(14),
    ];
    return `${cells.join('')}  ${wordOf(isMet(row))}`.trimEnd();
  });
  return [`${figure.name}: ${figure.about}`, ...lines, ''].join('\n');
}

function goalOf({ goal, unit }: Row): string {
  if (goal === undefined) return '';
  return 'atMost' in goal ? `<= ${textOf(goal.atMost, unit)}` : `>= ${textOf(goal.atLeast, unit)}`;
}

function wordOf(met: boolean | undefined): string {
  return met === undefined ? '' : met ? 'met' : 'not met';
}

function textOf(value: number, unit: string): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const number = value.toLocaleString('en', { maximumFractionDigits: digits });
  return unit === 'x' ? `${number}x` : `${number} ${unit}`;
}
