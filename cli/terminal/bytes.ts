const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;

/** A size in its largest unit of 1024: `0 bytes`, `1.5 MB`, `120 GB`. @param bytes 0 or more */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let value = bytes / 1024;
  let unit = 0;
  // From 1023.5 on it would read as 1024 of the smaller one.
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}
