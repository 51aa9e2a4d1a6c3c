import type { z } from 'zod';
import type { TopicName } from '../topics.ts';
import type { DeviceEventPayload, DeviceInfoPayload, DeviceSetPayload, DeviceState } from './device.ts';
import { deviceEventPayload, deviceInfoPayload, deviceSetPayload, deviceState } from './device.ts';
import { lampState } from './fields.ts';
import type { HookPayload } from './hook.ts';
import { hookPayload } from './hook.ts';
import type { EvidencePayload, HostState } from './host.ts';
import { evidencePayload, hostState } from './host.ts';
import type { HubHealthPayload, HubInfoPayload, HubState, RejectPayload } from './hub.ts';
import { hubHealthPayload, hubInfoPayload, hubState, rejectPayload } from './hub.ts';
import type { JobEndpointPayload, JobPayload, JobReplyPayload } from './job.ts';
import { jobEndpointPayload, jobPayload, jobReplyPayload } from './job.ts';
import type { LinePayload } from './line.ts';
import { linePayload } from './line.ts';
import type { RequestPayload, ResponsePayload } from './request.ts';
import { requestPayload, responsePayload } from './request.ts';
import type { SessionPayload } from './session.ts';
import { sessionPayload } from './session.ts';
import type { SignalEventPayload } from './signal-event.ts';
import { signalEventPayload } from './signal-event.ts';
import type { SignalPayload } from './signal.ts';
import { signalPayload } from './signal.ts';
import type { UsagePayload, UsageReport } from './usage.ts';
import { usagePayload, usageReport } from './usage.ts';
import type { LampState } from '../states.ts';

/** The payload of every row of the topic table: a publisher writes the type of `hubHealth`, and a consumer reads the same. */
export interface Payloads {
  hook: HookPayload;
  usage: UsageReport;
  signal: SignalPayload;
  signalUsage: UsagePayload;
  signalEvent: SignalEventPayload;
  lamp: LampState;
  lampAll: LampState;
  line: LinePayload;
  session: SessionPayload;
  job: JobPayload;
  jobEndpoint: JobEndpointPayload;
  jobReply: JobReplyPayload;
  deviceState: DeviceState;
  deviceInfo: DeviceInfoPayload;
  deviceEvent: DeviceEventPayload;
  deviceSet: DeviceSetPayload;
  hostState: HostState;
  evidence: EvidencePayload;
  hubState: HubState;
  hubInfo: HubInfoPayload;
  hubHealth: HubHealthPayload;
  reject: RejectPayload;
  request: RequestPayload;
  response: ResponsePayload;
}

/** The schema of every row of the topic table. */
export const PAYLOADS: { readonly [N in TopicName]: z.ZodType<Payloads[N]> } = {
  hook: hookPayload,
  usage: usageReport,
  signal: signalPayload,
  signalUsage: usagePayload,
  signalEvent: signalEventPayload,
  lamp: lampState,
  lampAll: lampState,
  line: linePayload,
  session: sessionPayload,
  job: jobPayload,
  jobEndpoint: jobEndpointPayload,
  jobReply: jobReplyPayload,
  deviceState,
  deviceInfo: deviceInfoPayload,
  deviceEvent: deviceEventPayload,
  deviceSet: deviceSetPayload,
  hostState,
  evidence: evidencePayload,
  hubState,
  hubInfo: hubInfoPayload,
  hubHealth: hubHealthPayload,
  reject: rejectPayload,
  request: requestPayload,
  response: responsePayload,
};

/** Rows whose payload is plain text; every other one is JSON. */
export const TEXT_PAYLOADS = ['lamp', 'lampAll', 'line', 'deviceState', 'hostState', 'hubState'] as const;
const TEXT: ReadonlySet<TopicName> = new Set(TEXT_PAYLOADS);

/** True for a row whose payload is plain text. */
export function isTextPayload(name: TopicName): boolean {
  return TEXT.has(name);
}
