import type { Client, ConnectPacket } from 'aedes';
import type { Identity } from '../protocol/roles.ts';
import type { Log } from '../runtime/log.ts';
import { HUB } from './access.ts';
import type { Connection, Connections } from './connections.ts';
import type { ConnectionFacts, Identify, Limits } from './options.ts';
import type { Refusals } from './refusals.ts';
import type { Rights } from './rights.ts';

/** CONNACK return codes [MQTT-3.2.2.3]. */
const IDENTIFIER_REJECTED = 2;
const SERVER_UNAVAILABLE = 3;
const BAD_USER_NAME_OR_PASSWORD = 4;
const NOT_AUTHORIZED = 5;

type Done = (error: (Error & { returnCode: number }) | null, success: boolean | null) => void;

export interface AdmissionOptions {
  readonly connections: Connections;
  readonly identify: Identify;
  readonly rightsOf: (identity: Identity) => Rights;
  readonly refusals: Refusals;
  readonly limits: Limits;
  readonly log: Log;
}

/** Aedes' two hooks that let a client in or refuse it. */
export interface Admission {
  preConnect(
    client: Client,
    packet: ConnectPacket,
    done: (error: Error | null, success: boolean) => void,
  ): void;
  authenticate(
    client: Client,
    username: string | undefined,
    password: Buffer | undefined,
    answer: Done,
  ): void;
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { connections, identify, rightsOf, refusals, limits, log } = options;

  function refuse(answer: Done, returnCode: number, reason: string): void {
    answer(Object.assign(new Error(reason), { returnCode }), false);
  }

  /** The hub's own links can't be pushed off the bus by a client that takes their id. */
  function takesHubId(connection: Connection, client: Client): boolean {
    if (connection.listener === 'inprocess') return false;
    for (const other of connections) {
      if (other.listener === 'inprocess' && other.client?.id === client.id && other !== connection)
        return true;
    }
    return false;
  }

  function decide(connection: Connection, client: Client, identity: Identity, answer: Done): void {
    const rights = rightsOf(identity);
    const will = connection.request?.willTopic;
    // The gate never sees a will, so a hook event may not be one (spec: bus, "Durability" 1).
    if (will !== undefined && !mayBeWill(rights, will)) {
      refusals.notAllowed(connection, client.id, identity, will);
      refuse(answer, NOT_AUTHORIZED, 'will not allowed');
      return;
    }
    connection.identity = identity;
    connection.rights = rights;
    answer(null, true);
  }

  function admit(connection: Connection, client: Client, facts: ConnectionFacts, answer: Done): void {
    const settle = (identity: Identity | undefined): void => {
      if (identity !== undefined) decide(connection, client, identity, answer);
      else if (facts.username === undefined && facts.password === undefined)
        refuse(answer, NOT_AUTHORIZED, 'not authorized');
      else refuse(answer, BAD_USER_NAME_OR_PASSWORD, 'bad user name or password');
    };
    const decision = connection.listener === 'inprocess' ? HUB : identify(facts);
    if (!(decision instanceof Promise)) {
      settle(decision);
      return;
    }
    let answered = false;
    const once = (run: () => void): void => {
      if (answered) return;
      answered = true;
      clearTimeout(late);
      run();
    };
    const late = setTimeout(() => {
      log.warn('Nobody said in time who a client is; it was refused.', { client: client.id });
      once(() => refuse(answer, SERVER_UNAVAILABLE, 'identification took too long'));
    }, limits.identifyMs);
    decision.then(
      (identity) => once(() => settle(identity)),
      (error: unknown) => {
        log.error('A client could not be identified; it was refused.', { client: client.id, error });
        once(() => refuse(answer, SERVER_UNAVAILABLE, 'identification failed'));
      },
    );
  }

  return {
    // It answers at once, always: a packet that came in while it waits would be handled unauthenticated.
    preConnect(client, packet, done) {
      const connection = connections.of(client);
      if (connection !== undefined) {
        connection.request = { emptyId: packet.clientId === '', willTopic: packet.will?.topic };
      }
      done(null, true);
    },

    authenticate(client, username, password, answer) {
      const connection = connections.of(client);
      if (connection?.request === undefined) {
        refuse(answer, SERVER_UNAVAILABLE, 'not a connection of this broker');
        return;
      }
      // [MQTT-3.1.3-8]
      if (connection.request.emptyId && !client.clean) {
        refuse(answer, IDENTIFIER_REJECTED, 'a session needs a client id');
        return;
      }
      if (takesHubId(connection, client)) {
        refuse(answer, IDENTIFIER_REJECTED, "the client id is the hub's own");
        return;
      }
      const { listener, peer } = connection;
      const { remoteAddress } = peer;
      const facts: ConnectionFacts = {
        listener,
        clientId: client.id,
        ...(username === undefined ? {} : { username }),
        ...(password === undefined ? {} : { password }),
        ...(remoteAddress === undefined ? {} : { remoteAddress }),
        ...(peer.bearer === true && { bearer: true as const }),
      };
      try {
        admit(connection, client, facts, answer);
      } catch (error) {
        log.error('A client could not be identified; it was refused.', { client: client.id, error });
        refuse(answer, SERVER_UNAVAILABLE, 'identification failed');
      }
    },
  };
}

function mayBeWill(rights: Rights, topic: string): boolean {
  if (topic === '' || /[#+\0]/.test(topic)) return false;
  const verdict = rights.publish(topic);
  return verdict.allowed && verdict.hook === undefined;
}
