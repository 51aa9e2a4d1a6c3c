import { z } from 'zod';
import { fitText, jsonBytes, sizeOf } from '../fit-text.ts';
import { seconds, SIGNAL_BYTES, version } from './fields.ts';

/** One quota window as it is shown. `null` where its source does not tell. */
export const usageWindow = z.strictObject({
  /** E.g. `5h`. */
  label: z.string(),
  /** Used, 0 to 100. */
  pct: z.number().min(0).max(100),
  resets_in_sec: seconds.nullable(),
  duration_sec: seconds.nullable(),
});
export type UsageWindow = z.infer<typeof usageWindow>;

/** `signal/<provider>/usage` (spec: bus). */
export const usagePayload = z.strictObject({
  v: version,
  windows: z.array(usageWindow),
  updated_at: seconds,
});
export type UsagePayload = z.infer<typeof usagePayload>;

const wholeSeconds = z.number().nonnegative().finite().transform(Math.round);

/** A window as a script may send it: percentages a little out of range are put right, what it does not know is left out or `null`. */
const reportedWindow = z
  .object({
    label: z.string().min(1),
    pct: z.number().transform((value) => Math.min(100, Math.max(0, value))),
    resets_in_sec: wholeSeconds.nullish(),
    duration_sec: wholeSeconds.nullish(),
  })
  .transform(
    (window): UsageWindow => ({
      label: fitText(window.label, LABEL_BYTES),
      pct: window.pct,
      resets_in_sec: window.resets_in_sec ?? null,
      duration_sec: window.duration_sec ?? null,
    }),
  );

/** The longest label: what a display has room for, several times over [bytes]. */
const LABEL_BYTES = 32;
const MOST_WINDOWS = 16;

/** `usage/<provider>`, and the body of `POST /usage/<provider>`: written by taps and scripts, so unknown keys are left out. */
export const usageReport = z.object({ windows: z.array(reportedWindow).max(MOST_WINDOWS) });
export type UsageReport = z.infer<typeof usageReport>;

/** Usage as it goes on the wire, at most 512 bytes of UTF-8: labels are cut, and windows that don't fit are left out from the end. */
export function encodeUsage(usage: UsagePayload): string {
  const windows = usage.windows.map(({ label, pct, resets_in_sec, duration_sec }) => ({
    label: fitText(label, LABEL_BYTES, jsonBytes),
    pct,
    resets_in_sec,
    duration_sec,
  }));
  for (;;) {
    const text = JSON.stringify({ v: 1, windows, updated_at: usage.updated_at });
    if (sizeOf(text) <= SIGNAL_BYTES || windows.pop() === undefined) return text;
  }
}
