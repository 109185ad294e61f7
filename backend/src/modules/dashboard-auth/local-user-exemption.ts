import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { clientOf, isLoopbackAddress, localUserName, SocketOwners } from '../../core/security/index.js';
import { RuntimeRegistry } from '../../drivers/runtime/index.js';
import { Exemption } from '../auth/index.js';

/**
 * Exempts the server's own user and root on loopback (`APP_AUTH=auto`). The kernel must confirm the owner of the
 * connection, and every engine must be native: others forward loopback connections from containers or other machines.
 */
@Injectable()
export class LocalUserExemption extends Exemption {
  private readonly isPossible: boolean;

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
    return localUserName(this.owners.uidOf(request.socket));
  }

  private mayExempt(request: IncomingMessage): boolean {
    return (
      this.isPossible &&
      isLoopbackAddress(clientOf(request).address) &&
      this.runtimes.available().every((runtime) => runtime.info().capabilities.native)
    );
  }
}
