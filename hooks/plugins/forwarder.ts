import { type ChildProcess, spawn } from 'node:child_process';

/** The sender's program and the arguments before the agent's slug; a line that the installer puts in front of the file. */
declare const SIGNALBOX_SENDER: readonly [string, ...string[]];

/** Events that wait for the sender at most; beyond that the oldest goes, since the newest tells how things are. */
const MOST_WAITING = 128;
/** The sender ends within 0.3 s; one that does not is given up after this long [ms]. */
const WITHIN = 2_000;

/** How long an agent that ends waits for what is still to be sent [ms]; what is left then is handed over at once, in no order. */
const END_WITHIN = 1_000;

export interface Forwarder {
  /** Hands an event to the sender. It returns at once, and nothing that goes wrong is heard of. */
  forward(payload: object, event?: string): void;
  /** The agent ends: resolves when everything has been handed over. Never rejects. */
  flush(): Promise<void>;
}

/**
 * Hands events to the sender, one process at a time so that they arrive in order.
 * @param provider the agent's slug
 */
export function createForwarder(provider: string): Forwarder {
  const waiting: { readonly text: string; readonly event: string | undefined }[] = [];
  let isSending = false;
  /** Called when nothing is left. */
  let emptied: (() => void) | undefined;

  function next(): void {
    const sending = waiting.shift();
    isSending = sending !== undefined;
    if (sending === undefined) emptied?.();
    else handOver(sending, next);
  }

  function handOver({ event, text }: (typeof waiting)[number], done: () => void): void {
    send([provider, ...(event ? [event] : [])], text, done);
  }

  return {
    forward(payload, event) {
      try {
        waiting.push({ text: JSON.stringify(payload), event });
        if (waiting.length > MOST_WAITING) waiting.shift();
        if (!isSending) next();
      } catch {
        // The agent is to feel nothing of it.
      }
    },
    async flush() {
      if (!isSending) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        emptied = resolve;
        timer = setTimeout(resolve, END_WITHIN);
      });
      clearTimeout(timer);
      for (const left of waiting.splice(0)) handOver(left, () => undefined);
    },
  };
}

/** @param done called once, when the process has ended or could not be started */
function send(words: readonly string[], text: string, done: () => void): void {
  const [program, ...before] = SIGNALBOX_SENDER;
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;
  const end = (): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done();
  };
  try {
    // A session of its own, which outlives the agent: the last event is often the one that counts.
    child = spawn(program, [...before, ...words], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
    });
    child.on('error', end);
    child.on('exit', end);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(text);
    child.unref();
    timer = setTimeout(() => {
      child?.kill('SIGKILL');
      end();
    }, WITHIN);
    timer.unref();
  } catch {
    end();
  }
}
