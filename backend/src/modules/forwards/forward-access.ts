import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { DomainError, invalidField } from '../../core/errors/index.js';
import { isLoopbackAddress, localUserName, plainAddress, SocketOwners } from '../../core/security/index.js';
import { LOOPBACK, type ForwardAddress } from '../../drivers/kubernetes/index.js';
import { ownContainer, RuntimeRegistry } from '../../drivers/runtime/index.js';

/** Where port-forwards listen, and who may connect to them. */
@Injectable()
export class ForwardAccess {
  constructor(
    private readonly configuration: Configuration,
    private readonly runtimes: RuntimeRegistry,
    private readonly owners: SocketOwners,
  ) {}

  /**
   * @param localPort a certain port; by default a free one
   * @throws DomainError `invalid_input` in a container that publishes no such port
   */
  address(localPort?: number): ForwardAddress {
    const ports = this.configuration.values.forwardPorts;
    const chosen = localPort === undefined ? undefined : { first: localPort, last: localPort };
    if (!this.isInContainer()) return { ...LOOPBACK, ports: chosen ?? ports };
    if (ports === undefined) {
      throw new DomainError(
        'invalid_input',
        'Slipway runs in a container. Publish a range of ports on 127.0.0.1 with the same numbers, and set APP_FORWARD_PORTS to it.',
      );
    }
    const { first, last } = ports;
    if (localPort !== undefined && (localPort < first || localPort > last)) {
      throw invalidField('local_port', `must be a port of APP_FORWARD_PORTS, from ${first} to ${last}`);
    }
    // The engine passes connections from the host's loopback to the address of the container.
    return { hosts: ['0.0.0.0'], ports: chosen ?? ports };
  }

  /** Why a client of a TCP port may not use it; null if it may. */
  async refusal(client: Socket): Promise<string | null> {
    const own = ownContainer(this.runtimes);
    if (own && isNeighbor(client.remoteAddress ?? '', own.gateways)) {
      return 'A connection was rejected: it is of another container.';
    }
    if (!this.seesOwners()) return null;
    await this.owners.lookUp(client);
    if (localUserName(this.owners.uidOf(client)) !== undefined) return null;
    return 'A connection was rejected: it is not of your own user.';
  }

  /** Who else can connect, or where not; null if only the user of Slipway on this machine can. */
  notice(): string | null {
    const { host, allowedHosts, publicUrl } = this.configuration.values;
    const isReachable = !isLoopbackAddress(host) || allowedHosts.length > 0 || publicUrl !== '';
    const isNative = this.runtimes.survey
      .engines()
      .every(({ placement }) => placement === 'native' || placement === 'remote');
    const isInContainer = this.isInContainer();
    const notices = [
      isInContainer && 'Every user of the host of this container can connect to local addresses.',
      (isReachable || isInContainer) && 'Port-forwards can be reached only on the machine that runs Slipway.',
      !this.seesOwners() &&
        !isInContainer &&
        'Every user of this machine can connect to local addresses: its system does not report who opened a connection.',
      !isNative &&
        'Containers may be able to connect to local addresses: an engine runs in a virtual machine, or its place is unknown.',
    ];
    return notices.filter((text) => text !== false).join(' ') || null;
  }

  private seesOwners(): boolean {
    return process.platform === 'linux' && !this.isInContainer();
  }

  private isInContainer(): boolean {
    return ownContainer(this.runtimes) !== undefined;
  }
}

/**
 * Whether an address is of a network of this container, and not of the host.
 * @param gateways addresses of the host in these networks, from which its connections come.
 */
export function isNeighbor(
  address: string,
  gateways: readonly string[],
  interfaces = networkInterfaces(),
): boolean {
  if (gateways.includes(plainAddress(address))) return false;
  return Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .some(({ address: own, netmask }) => {
      const mask = bits(netmask);
      const client = bits(address);
      return (client & mask) === (bits(own) & mask);
    });
}

function bits(ipv4: string): number {
  return plainAddress(ipv4)
    .split('.')
    .reduce((value, part) => (value << 8) | Number(part), 0);
}
