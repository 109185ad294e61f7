import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData } from 'ws';

const PATH = /^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+\/portforward\?ports=(\d+)$/;

/** Ports of pods, as a node forwards them: each leads to a port of this machine. */
export class PodPorts {
  private readonly leading = new Map<number, number>();
  private readonly node = new WebSocketServer({ noServer: true });

  /** Forwards a port, the same for each pod, to one of this machine. */
  lead(port: number, there: number): void {
    this.leading.set(port, there);
  }

  /** @returns whether the request was a port-forward. */
  open(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const port = Number(PATH.exec(request.url ?? '')?.[1]);
    const there = this.leading.get(port);
    if (there === undefined) return false;
    this.node.handleUpgrade(request, socket, head, (client) => {
      const program = connect(there, '127.0.0.1');
      for (const channel of [0, 1]) client.send(Buffer.from([channel, port & 0xff, port >> 8]));
      client.on('message', (frame: RawData) => program.write((frame as Buffer).subarray(1)));
      client.on('close', () => program.destroy());
      client.on('error', () => program.destroy());
      program.on('data', (data) => client.send(Buffer.concat([Buffer.of(0), data])));
      program.on('end', () => client.close());
      program.on('error', () => client.close());
    });
    return true;
  }

  close(): void {
    for (const client of this.node.clients) client.terminate();
  }
}
