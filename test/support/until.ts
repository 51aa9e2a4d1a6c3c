/** Waits until a condition holds, looking every few milliseconds; the test's own time limit is its bound. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
