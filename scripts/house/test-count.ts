import { existsSync, readFileSync } from 'node:fs';

/** How many tests and checks held, and how many did not. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

export function add(one: Count, other: Count): Count {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed };
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { status: string }[];
  }[];
}

/**
 * Counts a Vitest run by its JSON report. A test that was skipped counts as failed: nobody knows whether it holds. So does a file
 * that could not be loaded, and a run that ended badly though every test held (a coverage threshold, an unhandled rejection).
 */
export function countVitest(reportPath: string, status: number): Count {
  if (!existsSync(reportPath)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(reportPath, 'utf8')) as VitestReport;
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = report.numFailedTests + report.numPendingTests + report.numTodoTests + unloaded.length;
  return { passed: report.numPassedTests, failed: status !== 0 && failed === 0 ? 1 : failed };
}
