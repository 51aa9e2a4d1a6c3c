/** How long each part of a sending may last, in ms after the start of the process. */
export interface Budget {
  /** How long stdin is waited for. */
  readonly input: { readonly until: number; readonly gap: number; readonly atMost: number };
  /** Until when the hub may acknowledge a payload of so many bytes. @param sent when it was handed over */
  answer(bytes: number, sent: number): number;
}

/** The agent waits for its hook: 300 ms in all (spec: agents, section 1), the rest is for the spool. */
const INPUT_UNTIL = 200;
const ANSWER_UNTIL = 240;
/** Where Node itself takes long to start, the agent and the hub still get a chance. */
const LEAST_INPUT = 130;
const LEAST_ANSWER = 120;
/** After a long input the hub still gets this. */
const LEAST_AFTER_INPUT = 50;
/** An agent that leaves its end open has said it all when it has said an object, and no more comes for this. */
const GAP = 30;
/**
 * An agent that is still writing, or hasn't begun to, is listened to for longer than the budget: what is cut off is lost, state and all. (Claude Code 2.1 on a machine with
 * five times the work it can do: first byte of an asynchronous hook more than 200 ms after its start, once in 50.)
 */
const INPUT_AT_MOST = 1_000;
/** Cutting down what nobody took costs about so much [ms a byte]. */
const CUT = 10 / (1024 * 1024);

/** @param begun when our own first line ran, ms after the start of the process */
export function budgetFrom(begun: number): Budget {
  return {
    input: {
      until: Math.max(INPUT_UNTIL, begun + LEAST_INPUT),
      gap: GAP,
      atMost: begun + INPUT_AT_MOST,
    },
    answer: (bytes, sent) =>
      Math.max(ANSWER_UNTIL - bytes * CUT, begun + LEAST_ANSWER, sent + LEAST_AFTER_INPUT),
  };
}
