import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Aedes } from 'aedes';

// Aedes with its own defaults on a free port of loopback, which is printed. Only the delay of small packets is off, as it has to be on any broker.
const broker = await Aedes.createBroker();
const server = createServer({ noDelay: true }, broker.handle).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log((server.address() as AddressInfo).port);
