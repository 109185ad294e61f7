import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { OpenSockets } from '../../../backend/src/drivers/kubernetes/open-sockets.js';
import type { JournalEntry } from '../../../backend/src/modules/journal/index.js';

export type AuditForm = 'syslog' | 'webhook';

/** A receiver of journal entries on loopback, which can stop and start again at its port. */
export class AuditReceiver {
  /** In the order of their arrival. */
  readonly entries: JournalEntry[] = [];
  port = 0;
  private server: Server | undefined;
  private readonly sockets = new OpenSockets();

  constructor(private readonly form: AuditForm) {}

  get target(): string {
    return this.form === 'syslog'
      ? `syslog+tcp://127.0.0.1:${this.port}`
      : `http://127.0.0.1:${this.port}/audit`;
  }

  async start(): Promise<void> {
    const server = this.form === 'syslog' ? this.syslog() : this.webhook();
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    this.sockets.destroy();
    await new Promise((resolve) => server.close(resolve));
  }

  private syslog(): Server {
    return createServer((socket) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      socket.on('end', () => {
        while (text !== '') {
          const [head = '', octets = ''] = /^(\d+) /.exec(text) ?? [];
          const message = text.slice(head.length, head.length + Number(octets));
          this.entries.push(JSON.parse(message.slice(message.indexOf('{'))) as JournalEntry);
          text = text.slice(head.length + Number(octets));
        }
      });
    });
  }

  private webhook(): Server {
    return createHttpServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        for (const line of text.trimEnd().split('\n')) this.entries.push(JSON.parse(line) as JournalEntry);
        response.writeHead(204).end();
      });
    });
  }
}
