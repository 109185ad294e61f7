import type { IncomingMessage } from 'node:http';
import type { ExecutionContext } from '@nestjs/common';
import type { WebSocket } from 'ws';

/**
 * What a page is told of its own request: nobody signs in here (`open`), its session was seen (`held`), there is none
 * (`none`), or a browser that follows a link of another site may have kept the cookie back (`unseen`).
 */
export type PageSession = 'open' | 'held' | 'none' | 'unseen';

/**
 * Who may come in, behind the request gate: one policy for requests, pages and sockets of an application.
 * What stands outside is told `unauthorized` and nothing more.
 */
export abstract class AccessPolicy {
  /** Looks up what the other methods need to know of a request. Called, and waited for, before any of them. */
  abstract prepare(request: IncomingMessage): Promise<void>;

  /** Before a route. @throws DomainError `unauthorized` */
  abstract admit(context: ExecutionContext): Promise<void>;

  /** Whether a request comes in without a session, so that there is nothing to sign in to. */
  abstract isOpenTo(request: IncomingMessage): boolean;

  /** Whether a page may be shown; where not, the sign-in page is. */
  abstract admitsPage(request: IncomingMessage): boolean;

  /** A one-time ticket that signs the session of a page in under another host name; undefined without a session. */
  abstract ticketFor(request: IncomingMessage): string | undefined;

  /**
   * Before a WebSocket exists.
   * @returns what is to be called with the socket once it is open.
   * @throws DomainError `unauthorized`
   */
  abstract admitUpgrade(request: IncomingMessage): (socket: WebSocket) => void;
}
