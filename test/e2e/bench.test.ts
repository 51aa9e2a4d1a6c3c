import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ROOT, run } from '../support/house-tree.ts';

// It starts a dozen processes one after another.
vi.setConfig({ testTimeout: 600_000 });

interface Written {
  readonly machine: Readonly<Record<string, string | number>>;
  readonly measured: readonly {
    readonly figure: { readonly name: string };
    readonly rows: readonly { readonly name: string; readonly value: number; readonly goal?: object }[];
  }[];
}

describe('npm run bench', () => {
  it('measures every figure beside its peers, however short, and writes what machine it ran on', async () => {
    const { status, output } = await run(ROOT, 'tsx', ['bench/run.ts', '--tiny']);
    expect({ status, output }).toMatchObject({ status: 0 });
    const { machine, measured } = JSON.parse(
      readFileSync(join(ROOT, 'bench/out/bench-tiny.json'), 'utf8'),
    ) as Written;
    expect(machine).toMatchObject({
      cpu: expect.any(String),
      cores: expect.any(Number),
      node: process.version,
    });
    expect(measured.map(({ figure }) => figure.name)).toEqual([
      'latency',
      'throughput',
      'table-size',
      'fan-out',
      'memory',
      'start',
      'sender',
    ]);
    for (const { figure, rows } of measured) {
      expect(output).toContain(figure.name);
      expect(rows.some(({ goal }) => goal !== undefined)).toBe(true);
      expect(rows.filter(({ value }) => !(value > 0))).toEqual([]);
    }
    expect(output).toMatch(/<= 20 ms {2}(?:not )?met/);
  });

  it('says which figures there are when it does not know one', async () => {
    const { status, output } = await run(ROOT, 'tsx', ['bench/run.ts', 'latncy']);
    expect(status).toBe(2);
    expect(output).toContain('latency, throughput');
  });
});
