import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** A server that accepts WebSockets as a kubelet does for ports and programs, and rejects `/refused` with 404. */
export class KubeletSocket {
  private readonly server: Server = createServer();
  private readonly sockets: WebSocketServer;

  private constructor(protocol: (() => string) | undefined) {
    this.sockets = new WebSocketServer({
      noServer: true,
      ...(protocol && { handleProtocols: protocol }),
    });
    this.server.on('upgrade', (request, socket, head) => {
      if (request.url === '/refused') {
        socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 17\r\n\r\n{"kind":"Status"}');
      } else {
        this.sockets.handleUpgrade(request, socket, head, (accepted) =>
          this.sockets.emit('connection', accepted, request),
        );
      }
    });
  }

  /** @param protocol that it chooses; by default the first one of the client */
  static async start(protocol?: () => string): Promise<KubeletSocket> {
    const kubelet = new KubeletSocket(protocol);
    await new Promise<void>((resolve) => kubelet.server.listen(0, '127.0.0.1', resolve));
    return kubelet;
  }

  url(path: string): URL {
    return new URL(path, `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
  }

  /** The next connection. */
  async accepted(): Promise<WebSocket> {
    const [socket] = (await once(this.sockets, 'connection')) as [WebSocket];
    return socket;
  }

  /** Sends frames to the next connection in the packet of the handshake. */
  sendWithHandshake(frames: readonly Buffer[]): void {
    this.server.prependOnceListener('upgrade', (_request, socket) => socket.cork());
    this.sockets.once('connection', (accepted, { socket }) => {
      for (const frame of frames) accepted.send(frame);
      socket.uncork();
    });
  }

  async stop(): Promise<void> {
    for (const client of this.sockets.clients) client.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
