import type { IncomingMessage } from 'node:http';
import type { ExecutionContext } from '@nestjs/common';
import type { WebSocket } from 'ws';
import type { TokenScope } from './token-scope.js';

/**
 * The session of a page request: not required (`open`), valid (`held`), missing (`none`), unknown because a browser
 * that follows a link from another site withholds the cookie (`unseen`), or unknown until engines have been asked
 * (`looking`).
 */
export type PageSession = 'open' | 'held' | 'none' | 'unseen' | 'looking';

/**
 * Grants access after `HostOriginGuard`: one policy for requests, pages and sockets of an application. Other clients get
 * `unauthorized` and nothing more.
 */
export abstract class AccessPolicy {
  /** Loads what the other methods need to know about a request. Awaited before any of them is called. */
  abstract prepare(request: IncomingMessage): Promise<void>;

  /** Checks a request before its route. @throws DomainError `unauthorized` */
  abstract admit(context: ExecutionContext): Promise<void>;

  /** Whether a request needs no session. */
  abstract isOpenTo(request: IncomingMessage): boolean;

  /** Whether a request may need no session once Slipway has found the engines. It gets `looking_for_engines` until then. */
  abstract isLooking(request: IncomingMessage): boolean;

  /** Whether to serve a page; otherwise the client is redirected to the sign-in page. */
  abstract admitsPage(request: IncomingMessage): boolean;

  /**
   * A one-time ticket that signs the browser in to the other application, with the session that it has here; undefined if it
   * may not use this one without signing in, or has its session there already.
   * @param sharesCookies whether the other application has the same host name, and so the same session cookie
   */
  abstract ticketFor(request: IncomingMessage, sharesCookies: boolean): string | undefined;

  /**
   * Checks an upgrade before the WebSocket exists.
   * @param needs the scope that an access token needs
   * @returns a callback for the open socket.
   * @throws DomainError `unauthorized`, `insufficient_scope`
   */
  abstract admitUpgrade(request: IncomingMessage, needs: TokenScope): (socket: WebSocket) => void;
}
