import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { guarded, guardedTimeout, reasonOf } from '../../core/errors/index.js';
import { listenOnFreePort, LOOPBACK, portOf } from './forward-address.js';
import { ForwardGate } from './forward-gate.js';
import { ForwardProxy, HEADERS_MS, MAX_CONNECTIONS } from './forward-proxy.js';
import {
  ClientRequests,
  MAX_HEADER_BYTES,
  readStart,
  type RequestRefused,
  type RequestHead,
} from './forward-requests.js';
import { checkPlainRequest } from './forward-rule.js';
import { FORWARD_BUFFER } from './forwarded-port.js';
import { OpenSockets, type ForwardTraffic } from './open-sockets.js';
import { responseText, type OwnResponse } from './own-response.js';
import { release } from './reused-memory.js';

/** Time in which a client can end its side after the Pod closed the connection. */
const CLOSING_MS = 5000;
/** An HTTP client sends first. One that has sent nothing for this time may wait for a server that does. */
const SILENT_MS = 50;

export interface ListenerTarget {
  /** For error pages. */
  name: string;
  /** Of a program that speaks HTTP: a random name for its origin, and whether it speaks HTTPS. */
  page?: { host: string; encrypted: boolean };
  /** Whether programs may use the port, as plain TCP. Otherwise only its page is forwarded. */
  isPlain: boolean;
  /** More hosts of requests that pass as plain TCP. */
  hosts: () => readonly string[];
  /** Why a client may not use the port as plain TCP; null if it may. */
  refusal: (client: Socket) => Promise<string | null>;
  connect: () => Promise<Duplex>;
}

/**
 * Forwards a port of this machine to a Pod. Requests for the page's own host go to its proxy; each other connection is
 * joined to a connection of its own, and its HTTP requests are checked.
 */
export class ForwardListener {
  private servers: Server[] = [];
  private readonly sockets = new OpenSockets();
  /** Those that have sent a part of their first request, the oldest first. Other users of the machine can open them. */
  private readonly unfinished = new Set<Socket>();
  private proxy: ForwardProxy | null = null;
  /** Why the last connection failed; null if it succeeded. */
  private failure: string | null = null;

  private constructor(private readonly target: ListenerTarget) {}

  /** @throws Error with a code of the system, such as `EADDRINUSE` or `EACCES` */
  static async listen(target: ListenerTarget, address = LOOPBACK): Promise<ForwardListener> {
    const listener = new ForwardListener(target);
    listener.servers = await listenOnFreePort(() => listener.createServer(), address);
    const { name, page, connect } = target;
    if (page) {
      const gate = new ForwardGate(page.host, listener.port);
      listener.proxy = new ForwardProxy({ name, encrypted: page.encrypted, connect }, gate);
    }
    return listener;
  }

  get port(): number {
    const [first] = this.servers;
    return first ? portOf(first) : 0;
  }

  /** Why the last connection or request failed; null if it succeeded. */
  get problem(): string | null {
    return this.failure ?? this.proxy?.problem ?? null;
  }

  /** The URL of the page, for a browser that has opened it before; null if it has none. */
  get url(): string | null {
    return this.proxy?.gate.origin ?? null;
  }

  get traffic(): ForwardTraffic {
    return this.sockets.traffic;
  }

  /** A URL that admits one browser, once within a minute. @param browser its `User-Agent` */
  issueLink(browser?: string): string | null {
    return this.proxy?.gate.issueLink(browser) ?? null;
  }

  /** Gives the page another origin, for another target. Browsers lose access. */
  move(host: string): void {
    if (this.proxy) this.proxy.gate = new ForwardGate(host, this.port);
  }

  close(): void {
    for (const server of this.servers) server.close();
    this.proxy?.close();
    this.sockets.destroy();
  }

  private createServer(): Server {
    // Paused until the Pod is reached. A client that has sent everything still waits for the response.
    const server = createServer({
      pauseOnConnect: true,
      allowHalfOpen: true,
      noDelay: true,
      highWaterMark: FORWARD_BUFFER,
    });
    server.on('connection', (client) => void this.serve(client));
    server.on('error', (error) => (this.failure = reasonOf(error)));
    return server;
  }

  private async serve(client: Socket): Promise<void> {
    this.sockets.add(client);
    client.on('error', () => client.destroy());
    try {
      const start = this.proxy ? await readFirstBytes(client, this.unfinished, SILENT_MS) : UNREAD;
      if (client.destroyed) return;
      if (this.isForPage(start)) this.proxy?.accept(client);
      else await this.servePlain(client, start);
    } catch (error) {
      this.abort(client, error);
    }
  }

  private isForPage({ head, isSilent }: FirstBytes): boolean {
    const { host, 'user-agent': browser } = head?.headers ?? {};
    return this.proxy?.gate.isFor(host, browser) === true || (isSilent && !this.target.isPlain);
  }

  private async servePlain(client: Socket, start: FirstBytes): Promise<void> {
    const refusal = await this.target.refusal(client);
    if (refusal !== null) throw new Error(refusal);
    // A redirect to the page does not need the Pod.
    const own = start.head && this.check(start.head);
    if (own) {
      this.respond(client, own);
      return;
    }
    if (!this.target.isPlain) throw new Error('A connection was rejected: it is not HTTP.');
    const pod = await this.target.connect();
    // The client may have disconnected, and the Pod may have refused the connection.
    pod.on('error', (error) => this.abort(client, error));
    if (pod.errored) throw pod.errored;
    if (client.destroyed) pod.destroy();
    else await this.join(client, pod, start);
  }

  private async join(client: Socket, pod: Duplex, start: FirstBytes): Promise<void> {
    this.failure = null;
    const requests = new ClientRequests((head) => this.check(head));
    let isOver = false;
    client.once('close', () => pod.destroy());
    pod.once('end', () => {
      // The end of the connection to the Pod ends both directions.
      client.unpipe(requests);
      destroyLater(client);
    });
    pod.once('close', () => {
      if (!pod.readableEnded && !isOver) client.destroy();
    });
    requests.once('error', (error) => {
      isOver = true;
      pod.destroy();
      this.respond(client, (error as RequestRefused).response);
    });
    const send = (chunk: Buffer): void => {
      if (!client.write(chunk, () => release(chunk))) pod.pause();
    };
    pod.on(
      'data',
      guarded(send, (error) => this.abort(client, error)),
    );
    client.on('drain', () => pod.resume());
    pod.once('end', () => client.end());
    // A browser also connects in advance, and sends its first request later.
    const first = start.isSilent ? await readFirstBytes(client, this.unfinished) : start;
    if (client.bytesWritten === 0 && this.isForPage(first)) {
      isOver = true;
      pod.destroy();
      this.proxy?.accept(client);
    } else if (!pod.readableEnded) {
      if (first.left.length > 0) requests.write(first.left);
      client.pipe(requests).pipe(pod);
    }
  }

  private check(head: RequestHead): OwnResponse | null {
    const { hosts, isPlain } = this.target;
    const gate = this.proxy?.gate ?? null;
    return checkPlainRequest(head, { port: this.port, hosts: hosts(), isPlain, gate });
  }

  /** Reads on, since a reset could overtake the response. */
  private respond(client: Socket, own: OwnResponse): void {
    client.end(responseText(own));
    destroyLater(client);
  }

  /** A reset tells the client that data is missing. */
  private abort(client: Socket, error: unknown): void {
    this.failure = reasonOf(error);
    client.resetAndDestroy();
  }
}

/** The first bytes of a client, which stay unread. */
interface FirstBytes {
  /** Of its first request; null if it sends something else, or nothing. */
  head: RequestHead | null;
  /** Bytes that cannot be unread, of a client that has ended its side. */
  left: Buffer;
  /** Whether it has sent nothing yet. */
  isSilent: boolean;
}

const UNREAD: FirstBytes = { head: null, left: Buffer.alloc(0), isSilent: false };

/**
 * Reads until the head of the first request is complete, or for 10 s from its first byte.
 * @param unfinished clients whose head is incomplete. The oldest of too many is disconnected.
 * @param silentMs how long a client may send nothing; by default as long as it is connected
 */
async function readFirstBytes(
  client: Socket,
  unfinished: Set<Socket>,
  silentMs?: number,
): Promise<FirstBytes> {
  return await new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    let deadline: NodeJS.Timeout | undefined;
    const stop = (found: Partial<FirstBytes>): void => {
      clearTimeout(silent);
      clearTimeout(deadline);
      unfinished.delete(client);
      client.off('readable', read).off('close', leave).off('end', leave);
      resolve({ ...UNREAD, ...found });
    };
    const unread = (head: RequestHead | null): void => {
      if (bytes.length > 0) client.unshift(bytes);
      stop({ head });
    };
    const leave = (): void => stop({ left: bytes });
    const wait = (): void => {
      const [oldest] = unfinished;
      if (oldest && unfinished.size >= MAX_CONNECTIONS) {
        oldest.destroy();
        unfinished.delete(oldest);
      }
      unfinished.add(client);
      deadline = guardedTimeout(() => unread(null), HEADERS_MS, 'give up reading the head of a request');
    };
    const read = guarded((): void => {
      const chunk: unknown = client.read();
      if (!Buffer.isBuffer(chunk)) return;
      clearTimeout(silent);
      bytes = Buffer.concat([bytes, chunk]);
      const start = readStart(bytes);
      if (typeof start === 'object') unread(start);
      else if (start === 'other' || bytes.length > MAX_HEADER_BYTES) unread(null);
      else if (!unfinished.has(client)) wait();
    }, leave);
    const giveUp = (): void => stop({ isSilent: true });
    const silent =
      silentMs === undefined ? undefined : guardedTimeout(giveUp, silentMs, 'give up reading a request');
    client.on('readable', read).once('close', leave).once('end', leave);
  });
}

function destroyLater(client: Socket): void {
  client.resume();
  const closing = setTimeout(() => client.destroy(), CLOSING_MS).unref();
  client.once('close', () => clearTimeout(closing));
}
