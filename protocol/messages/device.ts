import { z } from 'zod';
import { count, providerSlug, version } from './fields.ts';

/** `device/<id>/state`: one bare word, also the device's will. */
export const deviceState = z.enum(['online', 'offline']);
export type DeviceState = z.infer<typeof deviceState>;

/** `device/<id>/info`: written by firmware of any age, so unknown keys are left out. */
export const deviceInfoPayload = z.object({
  board: z.string().max(64),
  firmware: z.string().max(64),
  ip: z.string().max(64).exactOptional(),
  /** Signal strength [dBm]. */
  rssi: z.int().exactOptional(),
  /** Free heap [bytes]. */
  heap: count.exactOptional(),
  /** Since its start [s]. */
  uptime: count.exactOptional(),
});
export type DeviceInfoPayload = z.infer<typeof deviceInfoPayload>;

/** `device/<id>/event`: a button. `alert` is the counter the device showed, so that a press meant for an older wait acks no newer one. */
export const deviceEventPayload = z.object({
  action: z.enum(['ack', 'snooze']),
  provider: providerSlug,
  project: z.string().max(256).exactOptional(),
  alert: count,
});
export type DeviceEventPayload = z.infer<typeof deviceEventPayload>;

const percent = z.int().min(0).max(100);
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'not HH:MM');

/** `device/<id>/set` (spec: device, section 3). */
export const deviceSetPayload = z.strictObject({
  v: version,
  /** Ceiling of the backlight now [%]: by night the hub publishes the night's, since a device has no clock. */
  brightness: percent.exactOptional(),
  /** The hub's own plan, for people who look. */
  night: z.strictObject({ from: clockTime, to: clockTime, brightness: percent }).exactOptional(),
  theme: z.enum(['dark', 'light']).exactOptional(),
  /** A firmware image; checked against its SHA-256 before it starts. */
  ota: z.strictObject({ url: z.url(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }).exactOptional(),
});
export type DeviceSetPayload = z.infer<typeof deviceSetPayload>;
