import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server } from 'node:http';

export interface RawExchange {
  situation: string;
  request: string;
  status: number;
  text: string;
}

/** Stands between a driver and a real engine and writes down what passes. */
export class RecordingProxy {
  readonly exchanges: RawExchange[] = [];
  situation = '';

  private constructor(
    private readonly server: Server,
    readonly socket: string,
  ) {}

  static async start(socket: string, engineSocket: string): Promise<RecordingProxy> {
    const server = createServer((incoming, outgoing) => proxy.pass(incoming, outgoing, engineSocket));
    const proxy = new RecordingProxy(server, socket);
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    return proxy;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse, engineSocket: string): void {
    const { situation } = this;
    const upstream = httpRequest(
      {
        socketPath: engineSocket,
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
        agent: false,
      },
      (answer) => {
        const exchange: RawExchange = {
          situation,
          request: `${incoming.method ?? ''} ${incoming.url ?? ''}`,
          status: answer.statusCode ?? 0,
          text: '',
        };
        this.exchanges.push(exchange);
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          exchange.text += text;
          outgoing.write(text);
        });
        answer.on('end', () => outgoing.end());
        answer.on('error', () => outgoing.destroy());
      },
    );
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    incoming.pipe(upstream);
  }
}
