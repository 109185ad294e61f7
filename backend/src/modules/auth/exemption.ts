import type { IncomingMessage } from 'node:http';

/** Who needs no session. Each application has its own. */
export abstract class Exemption {
  /** Looks up the connection's owner and new engines, which the other methods need. */
  abstract prepare(request: IncomingMessage): Promise<void>;

  /** Name of the exempt system user; undefined if a session is required. */
  abstract userOf(request: IncomingMessage): string | undefined;

  /** Whether the client may be exempt as soon as each engine has been asked where it runs. */
  abstract isLooking(request: IncomingMessage): boolean;

  /** One sentence for the user: whether a password is needed, and why. */
  abstract explain(request: IncomingMessage): string;
}
