import { responsePayload, type ResponsePayload } from '../../../protocol/messages/request.ts';
import { connect, type TestClient } from '../../support/mqtt-client.ts';
import { type HubInProcess, type Settings, startInProcess } from './hub-in-process.ts';

/** Asks the hub, and gives its answer to this very request. */
export type Ask = (command: string, fields?: object) => Promise<ResponsePayload>;

/** A hub, and a client with the user's own rights. */
export type AskedHub = HubInProcess & { readonly client: TestClient; readonly ask: Ask };

export async function startAsked(settings: Settings = {}): Promise<AskedHub> {
  const hub = await startInProcess(settings);
  const client = await connect({ path: hub.socketPath });
  await client.subscribe('signalbox/response/+', 'signalbox/reject');
  let asked = 0;
  const ask: Ask = async (command, fields = {}) => {
    asked += 1;
    const transaction = `t${asked}`;
    await client.publish(`signalbox/request/${command}`, JSON.stringify({ transaction, ...fields }));
    for (;;) {
      const { payload } = await client.nextMessage(`signalbox/response/${command}`);
      const response = responsePayload.parse(JSON.parse(payload));
      // Answers to others are heard too.
      if (response.transaction === transaction) return response;
    }
  };
  return { ...hub, client, ask };
}

/** The hub ends, and starts again on the same folder after some time. */
export async function startAgain(hub: HubInProcess, afterMs = 0): Promise<AskedHub> {
  await hub.aggregator.stop();
  hub.clock.advance(afterMs);
  return startAsked({ home: hub.home, clock: hub.clock });
}
