const STEPS = [
  { seconds: 86_400, unit: 'd' },
  { seconds: 3_600, unit: 'h' },
  { seconds: 60, unit: 'min' },
  { seconds: 1, unit: 's' },
] as const;

/** A duration in its largest unit: `12 s`, `2 min`, `3 h`, `4 d`. One that is negative, as after a set clock, counts as 0. @param seconds s */
export function shortDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const { seconds: size, unit } = STEPS.find((step) => whole >= step.seconds) ?? STEPS[3];
  return `${Math.floor(whole / size)} ${unit}`;
}

/** A duration in its two largest units: `12 s`, `2 min 5 s`, `3 h 20 min`, `4 d 1 h`; the second one only where there is something of it. @param seconds s */
export function exactDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const first = STEPS.findIndex((step) => whole >= step.seconds);
  const { seconds: size } = STEPS[first] ?? STEPS[3];
  const rest = whole % size;
  const next = STEPS[first + 1];
  const below =
    next !== undefined && rest >= next.seconds ? ` ${Math.floor(rest / next.seconds)} ${next.unit}` : '';
  return `${shortDuration(whole)}${below}`;
}

/** `2 min ago`. @param seconds s */
export function ago(seconds: number): string {
  return seconds < 1 ? 'just now' : `${shortDuration(seconds)} ago`;
}

/** The local time of day, `09:04:31`. @param ms unix ms */
export function timeOfDay(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
