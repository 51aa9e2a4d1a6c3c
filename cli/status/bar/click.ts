import { BLOCK_NAME } from '../formats/i3bar.ts';

/** A click with the right button on a block of ours. */
export interface Click {
  /** Slug of the agent that the block is about; none: about all. */
  readonly provider?: string;
}

/** The right button. */
const RIGHT = 3;
const SLUG = /^[a-z0-9_-]{1,32}$/;

/**
 * Reads a line of clicks: i3bar sends an endless JSON array, one object a line behind `[` or `,`; i3blocks one object a line, with its own keys among them, or the
 * button's number alone. Only a right click is anything, and nothing of it but the slug goes on.
 */
export function clickOf(line: string): Click | undefined {
  const value = parsed(line.trim().replace(/^[[,]\s*/, ''));
  if (value === RIGHT) return {};
  if (typeof value !== 'object' || value === null) return undefined;
  const { button, name, instance } = value as Record<string, unknown>;
  if (button !== RIGHT && button !== String(RIGHT)) return undefined;
  // i3blocks gives a block its own clicks alone, and marks its objects by an empty key.
  if (Object.hasOwn(value, '')) return {};
  if (name !== BLOCK_NAME) return undefined;
  if (instance === undefined) return {};
  return typeof instance === 'string' && SLUG.test(instance) ? { provider: instance } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
