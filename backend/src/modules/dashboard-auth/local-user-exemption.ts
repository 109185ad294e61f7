import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { clientOf, isLoopbackAddress, localUserName, SocketOwners } from '../../core/security/index.js';
import { Exemption, MachineExemption } from '../auth/index.js';

/**
 * Exempts the server's own user on loopback (`APP_AUTH=auto`), if the machine allows it. The kernel must confirm the owner
 * of the connection.
 */
@Injectable()
export class LocalUserExemption extends Exemption {
  constructor(
    private readonly machine: MachineExemption,
    private readonly owners: SocketOwners,
  ) {
    super();
  }

  override async prepare(request: IncomingMessage): Promise<void> {
    if (!this.machine.isConfigured || !isLocal(request)) return;
    await this.machine.look();
    if (this.machine.state() !== 'required') await this.owners.lookUp(request.socket);
  }

  override userOf(request: IncomingMessage): string | undefined {
    return this.machine.state() === 'exempt' ? this.ownerOf(request) : undefined;
  }

  override isLooking(request: IncomingMessage): boolean {
    return this.machine.state() === 'looking' && this.ownerOf(request) !== undefined;
  }

  override explain(request: IncomingMessage): string {
    const reason = this.machine.reason() ?? this.reasonOf(request);
    if (reason !== null) return `A password is needed, because ${reason}.`;
    return `No password is needed: this request is from your own user, and ${this.machine.proof()}.`;
  }

  private ownerOf(request: IncomingMessage): string | undefined {
    return isLocal(request) ? localUserName(this.owners.uidOf(request.socket)) : undefined;
  }

  private reasonOf(request: IncomingMessage): string | null {
    if (!isLocal(request)) return 'this request is from another machine';
    if (this.ownerOf(request) !== undefined) return null;
    return this.owners.uidOf(request.socket) === undefined
      ? 'this system does not report which user opened the connection'
      : 'the connection is of another user than the one who runs Slipway';
  }
}

function isLocal(request: IncomingMessage): boolean {
  return isLoopbackAddress(clientOf(request).address);
}
