import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

const SOURCE_WITHIN_MS = 30_000;

/** A client of the log board's API and socket. */
export class LogBoardClient {
  handlers = new Map();

  static async open(url, password) {
    const client = new LogBoardClient();
    client.url = url;
    const { access_token: token } = await client.ask('POST', '/api/auth/login', {
      username: 'admin',
      password,
    });
    client.token = token;
    await client.connect();
    return client;
  }

  /** Another client of the same session, with a socket of its own. */
  async another() {
    const client = new LogBoardClient();
    client.url = this.url;
    client.token = this.token;
    await client.connect();
    return client;
  }

  async connect() {
    this.socket = new WebSocket(`${this.url.replace('http', 'ws')}/ws?token=${this.token}`);
    this.socket.on('message', (text) => this.take(JSON.parse(String(text))));
    await new Promise((resolve, reject) => {
      this.socket.once('open', resolve);
      this.socket.once('error', reject);
    });
  }

  async ask(method, path, body = undefined) {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${said.message}`);
    return said;
  }

  /** Follows a container from its first line on. `onLines` gets lines as they are on the wire, and the moment in ms. */
  async follow(container, onLines, onSkipped = () => undefined) {
    const { id } = await this.source(container);
    let read = 0;
    let acked = 0;
    this.handlers.set(id, {
      lines: ({ lines }) => {
        onLines(lines, performance.timeOrigin + performance.now());
        read = lines.at(-1)[0];
        if (read - acked < 1000) return;
        acked = read;
        this.socket.send(JSON.stringify({ type: 'ack', source: id, seq: read }));
      },
      skipped: onSkipped,
    });
    this.socket.send(JSON.stringify({ type: 'subscribe', source: id, after: 0 }));
    return {
      end: () => {
        this.socket.send(JSON.stringify({ type: 'unsubscribe', source: id }));
        this.handlers.delete(id);
      },
    };
  }

  /** How many lines of a container are kept. */
  async extent(container) {
    const { first_seq: first, next_seq: next } = await this.source(container);
    return next - first;
  }

  async source(container) {
    const deadline = performance.now() + SOURCE_WITHIN_MS;
    while (performance.now() < deadline) {
      const sources = await this.ask('GET', '/api/sources');
      const found = sources.find(({ kind, key }) => kind === 'container' && key.endsWith(`/${container}`));
      if (found) return found;
      await delay(20);
    }
    throw new Error(`the log board does not know ${container}`);
  }

  take(message) {
    this.handlers.get(message.source)?.[message.type]?.(message);
  }

  close() {
    this.socket.terminate();
  }
}
