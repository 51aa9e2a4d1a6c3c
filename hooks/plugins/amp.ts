import { randomUUID } from 'node:crypto';
import { createForwarder } from './forwarder.ts';
import { fieldsOf, texts } from './picking.ts';

/** What Amp hands to a plugin, as far as it is used here (vendor's plugin reference). */
interface Amp {
  on(event: string, handler: (told: unknown) => unknown): unknown;
}

/** What each handler has to give back: a tool's call waits for the word, and is never held up here. */
const ANSWERS = {
  'session.start': undefined,
  'agent.start': {},
  'agent.end': undefined,
  'tool.call': { action: 'allow' },
  'tool.result': undefined,
} as const;

const { forward } = createForwarder('amp');

/** Amp's plugin: forwards which thread does what, and nothing of what is said or done there. */
export default function signalbox(amp: Amp): void {
  for (const [event, answer] of Object.entries(ANSWERS)) {
    try {
      amp.on(event, (told) => {
        tell(event, told);
        return answer === undefined ? undefined : { ...answer };
      });
    } catch {
      // A version that does not know the event.
    }
  }
}

function tell(event: string, told: unknown): void {
  try {
    const fields = fieldsOf(told);
    const { id } = texts(fields['thread'], ['id']);
    const { tool, toolUseID, status } = texts(fields, ['tool', 'toolUseID', 'status']);
    forward({
      agent: 'amp',
      id: randomUUID(),
      event,
      session_id: id,
      // Amp runs its plugins in the folder that it was started in.
      cwd: process.cwd(),
      tool,
      call: toolUseID,
      ...(event === 'agent.end' && { status }),
    });
  } catch {
    // Whatever its fields do when they are read, Amp's tool is not to wait for it.
  }
}
