import { z } from 'zod';
import { ELLIPSIS, fitText, sizeOf } from '../fit-text.ts';

/** The longest `line` [bytes of UTF-8] (spec: bus, topic table). */
export const LINE_BYTES = 64;

/** `line`: one line of plain text, e.g. `Codex waiting: web-shop (permission)`. */
export const linePayload = z
  .string()
  .regex(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/, 'more than one line')
  .refine((text) => sizeOf(text) <= LINE_BYTES, `longer than ${LINE_BYTES} bytes`);
export type LinePayload = z.infer<typeof linePayload>;

/**
 * A line that fits: `name` (a project's) is shortened so that what stands round it stays whole; only when that is not enough is the end cut off.
 */
export function fitLine(before: string, name: string, after = ''): string {
  const room = LINE_BYTES - sizeOf(before) - sizeOf(after);
  const fitted = room < sizeOf(ELLIPSIS) ? name : fitText(name, room);
  return fitText(before + fitted + after, LINE_BYTES);
}
