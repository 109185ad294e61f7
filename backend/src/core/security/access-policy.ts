import type { IncomingMessage } from 'node:http';
import type { ExecutionContext } from '@nestjs/common';
import type { WebSocket } from 'ws';

/**
 * Who may come in, behind the request gate: one policy for requests, pages and sockets of an application.
 * What stands outside is told `unauthorized` and nothing more.
 */
export abstract class AccessPolicy {
  /** Before a route. @throws DomainError `unauthorized` */
  abstract admit(context: ExecutionContext): Promise<void>;

  /** Whether a page may be shown; where not, the sign-in page is. */
  abstract admitsPage(request: IncomingMessage): boolean;

  /**
   * Before a WebSocket exists.
   * @returns what is to be called with the socket once it is open.
   * @throws DomainError `unauthorized`
   */
  abstract admitUpgrade(request: IncomingMessage): (socket: WebSocket) => void;
}

/**
 * The dashboard on loopback: whoever reaches it is a user of this machine, and the request gate has kept
 * foreign pages out.
 */
export class OpenOnLoopback extends AccessPolicy {
  override async admit(): Promise<void> {
    // Nobody is turned away.
  }

  override admitsPage(): boolean {
    return true;
  }

  override admitUpgrade(): () => void {
    return () => undefined;
  }
}
