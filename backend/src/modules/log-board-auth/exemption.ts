import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { clientOf, isLoopbackAddress, processUserName, SocketOwners } from '../../core/security/index.js';
import { RuntimeRegistry } from '../../drivers/runtime/index.js';

const ROOT = 0;
/** The kernel's stand-in for every user that a container's own table of users does not have: it may be anyone. */
const UNMAPPED = 65534;

/** Decides which requests need no session. */
export abstract class Exemption {
  /** Looks up what `userOf` needs to know of a connection. */
  abstract prepare(request: IncomingMessage): Promise<void>;

  /** Name of the system user who is exempt from sign-in; undefined where a session is required. */
  abstract userOf(request: IncomingMessage): string | undefined;
}

/** The log board requires a session from everybody. */
@Injectable()
export class NoExemption extends Exemption {
  override async prepare(): Promise<void> {
    // There is nothing to know.
  }

  override userOf(): undefined {
    return undefined;
  }
}

/**
 * Exempts the server's own user, and root, on loopback (`APP_AUTH=auto`). A connection counts as theirs only if the
 * kernel says so, and only while no engine forwards loopback connections of containers or other machines to this one.
 */
@Injectable()
export class LocalUserExemption extends Exemption {
  private readonly isPossible: boolean;
  private readonly uid = process.geteuid?.();

  constructor(
    { values }: Configuration,
    private readonly runtimes: RuntimeRegistry,
    private readonly owners: SocketOwners,
  ) {
    super();
    this.isPossible =
      values.auth === 'auto' &&
      isLoopbackAddress(values.host) &&
      [values.allowedHosts, values.trustedProxies, values.publicUrl, values.logBoardPublicUrl].every(
        ({ length }) => length === 0,
      );
  }

  override async prepare(request: IncomingMessage): Promise<void> {
    if (this.mayExempt(request)) await this.owners.lookUp(request.socket);
  }

  override userOf(request: IncomingMessage): string | undefined {
    if (!this.mayExempt(request)) return undefined;
    const owner = this.owners.uidOf(request.socket);
    if (owner === undefined || owner === UNMAPPED) return undefined;
    if (owner === ROOT) return 'root';
    return owner === this.uid ? processUserName() : undefined;
  }

  private mayExempt(request: IncomingMessage): boolean {
    return (
      this.isPossible &&
      isLoopbackAddress(clientOf(request).address) &&
      this.runtimes.available().every((runtime) => runtime.info().capabilities.native)
    );
  }
}
