import { WireClient } from '../wire-client.ts';

// The peer of the aggregator: a client that takes each event at QoS 1 and publishes it as a signal at QoS 1, and does nothing else. Usage: relay PORT
const port = Number(process.argv[2]);
const client = await WireClient.open(port, 'bench-relay', (_topic, payload) => {
  client.publish('signal/claude', payload);
});
await client.subscribe('hook/claude');
console.log('ready');
