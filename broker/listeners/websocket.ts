import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws';
import { foreignRequest, type OwnHosts } from '../../runtime/own-host.ts';
import type { AdmitUpgrade } from '../options.ts';

const PATH = '/mqtt';
const SUBPROTOCOL = 'mqtt';
/** RFC 6455, section 7.4.1: data of a kind that can't be accepted. */
const UNSUPPORTED_DATA = 1003;

export interface WebSocketOptions {
  /** Largest frame, in bytes. */
  readonly maxPayload: number;
  /** Under what the HTTP port is reached; loopback alone when left out. */
  readonly ownHosts?: OwnHosts;
  /** Bytes of a frame that isn't complete yet. */
  readonly onPartial: (socket: Duplex, bytes: number) => void;
  /** `bearer`: it has shown the token. */
  readonly accept: (stream: Duplex, request: IncomingMessage, bearer: boolean) => void;
}

/** MQTT over WebSocket on somebody's HTTP servers. */
export interface WebSocketListener {
  attach(server: Server, admit?: AdmitUpgrade): void;
  /** Leaves the servers; the connections belong to the broker. */
  detach(): void;
}

export function createWebSocketListener(options: WebSocketOptions): WebSocketListener {
  const upgrader = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: options.maxPayload,
    handleProtocols: () => SUBPROTOCOL,
  });
  const attached: { server: Server; onUpgrade: (...upgrade: [IncomingMessage, Duplex, Buffer]) => void }[] =
    [];

  function upgrade(
    { server, admit }: { server: Server; admit: AdmitUpgrade },
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): void {
    const { pathname } = new URL(request.url ?? '/', 'http://path.invalid');
    if (pathname !== PATH) {
      // Another upgrade listener of this server may know the path.
      if (server.listenerCount('upgrade') === 1) refuse(socket, '404 Not Found');
      return;
    }
    const refusal = refusalOf(request, options.ownHosts);
    if (refusal !== undefined) {
      refuse(socket, refusal);
      return;
    }
    const admitted = admit(request);
    if (admitted === 401) refuse(socket, '401 Unauthorized', 'WWW-Authenticate: Bearer\r\n');
    else if (admitted === 429) refuse(socket, '429 Too Many Requests');
    else
      upgrader.handleUpgrade(request, socket, head, (webSocket) =>
        adopt(webSocket, { socket, request, bearer: admitted === 'bearer' }),
      );
  }

  function adopt(
    webSocket: WebSocket,
    { socket, request, bearer }: { socket: Duplex; request: IncomingMessage; bearer: boolean },
  ): void {
    const stream = createWebSocketStream(webSocket);
    let partial = 0;
    const tell = (bytes: number): void => {
      if (bytes !== partial) options.onPartial(socket, bytes);
      partial = bytes;
    };
    // `ws` keeps a frame to itself until it is whole; what has arrived of it counts as well.
    socket.on('data', (chunk: Buffer) => tell(partial + chunk.length));
    socket.once('close', () => tell(0));
    webSocket.on('message', (_data, isBinary) => {
      tell(0);
      // [MQTT-6.0.0-1]
      if (!isBinary) webSocket.close(UNSUPPORTED_DATA);
    });
    options.accept(stream, request, bearer);
  }

  return {
    attach(server, admit = () => 'free') {
      const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
        // Until the upgrade is done the socket's errors are nobody's.
        socket.on('error', () => socket.destroy());
        try {
          upgrade({ server, admit }, request, socket, head);
        } catch {
          refuse(socket, '400 Bad Request');
        }
      };
      server.on('upgrade', onUpgrade);
      attached.push({ server, onUpgrade });
    },
    detach() {
      for (const { server, onUpgrade } of attached.splice(0)) server.off('upgrade', onUpgrade);
      upgrader.close();
    },
  };
}

/** Why a request may not become an MQTT connection: a web page that isn't ours, or no MQTT client. */
function refusalOf(request: IncomingMessage, ownHosts: OwnHosts | undefined): string | undefined {
  const { host, origin } = request.headers;
  if (foreignRequest({ host, origin }, ownHosts) !== undefined) return '403 Forbidden';
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  // [MQTT-6.0.0-3]
  return offered.includes(SUBPROTOCOL) ? undefined : '400 Bad Request';
}

/** @param header a line more, with its end */
function refuse(socket: Duplex, status: string, header = ''): void {
  socket.end(`HTTP/1.1 ${status}\r\n${header}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}
