import type { IncomingMessage } from 'node:http';

/** Who needs no session. Each application has its own. */
export abstract class Exemption {
  /** Looks up the connection's owner, which `userOf` needs. */
  abstract prepare(request: IncomingMessage): Promise<void>;

  /** Name of the exempt system user; undefined if a session is required. */
  abstract userOf(request: IncomingMessage): string | undefined;
}
