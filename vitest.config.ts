import { defineConfig } from 'vitest/config';

/** What every test project shares: own processes, no second chances, one limit on time. */
const common = {
  pool: 'forks',
  environment: 'node',
  testTimeout: 20_000,
  hookTimeout: 20_000,
  teardownTimeout: 10_000,
  retry: 0,
  restoreMocks: true,
} as const;

export default defineConfig({
  test: {
    maxWorkers: '100%',
    allowOnly: false,
    projects: [
      { test: { ...common, name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      { test: { ...common, name: 'bus', include: ['test/bus/**/*.test.ts'] } },
      {
        test: {
          ...common,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          // The end-to-end tests start the compiled program, so it has to be the one of these sources.
          globalSetup: ['scripts/vitest-build.ts'],
        },
      },
    ],
    coverage: {
      provider: 'v8',
      reportsDirectory: 'coverage',
      include: [
        'protocol/**/*.ts',
        'runtime/**/*.ts',
        'broker/**/*.ts',
        'services/**/*.ts',
        'hooks/**/*.ts',
        'cli/**/*.ts',
      ],
      reporter: [['text', { skipFull: true }]],
      // Pure rules have no excuse for a branch nobody ran; what does I/O is proved by the bus and the end-to-end tests.
      thresholds: { 'protocol/**/*.ts': { branches: 100 } },
    },
  },
});
