/** How long each part of a sending may last: until so many ms after the process was started. */
export interface Budget {
  /** Until all of stdin has been read. */
  readonly read: number;
  /** Until the hub has acknowledged a payload of so many bytes. */
  answer(bytes: number): number;
}

/** The agent waits for its hook: 300 ms in all (spec: agents, section 1), the rest is for the spool. */
const READ_UNTIL = 150;
const ANSWER_UNTIL = 240;
/** Where Node itself takes long to start, the hub still gets a chance. */
const LEAST_READ = 80;
const LEAST_ANSWER = 120;
/** Cutting down what nobody took costs about so much [ms a byte]. */
const CUT = 10 / (1024 * 1024);

/** @param begun when our own first line ran, ms after the start of the process */
export function budgetFrom(begun: number): Budget {
  return {
    read: Math.max(READ_UNTIL, begun + LEAST_READ),
    answer: (bytes) => Math.max(ANSWER_UNTIL - bytes * CUT, begun + LEAST_ANSWER),
  };
}
