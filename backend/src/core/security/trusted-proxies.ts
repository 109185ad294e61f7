import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { DomainError } from '../errors/index.js';
import { itemsOf } from '../values/index.js';
import { isIn, plainAddress } from './address.js';
import { peerOf, setClient } from './client.js';

const FORWARDING_HEADER = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/;

/** Proxies in front of Slipway whose forwarding headers are trusted. */
export class TrustedProxies {
  private readonly includes: (address: string) => boolean;

  /** @param networks addresses and CIDR ranges, as `APP_TRUSTED_PROXIES` lists them. */
  constructor(networks: readonly string[]) {
    this.includes = isIn(networks);
  }

  /**
   * Determines the client of a request for `clientOf`, from `X-Forwarded-For` and `X-Forwarded-Proto` of a trusted proxy.
   * @throws DomainError `forbidden_proxy` if another peer sends a forwarding header.
   */
  identify(request: IncomingMessage): void {
    const header = Object.keys(request.headers).find((name) => FORWARDING_HEADER.test(name));
    if (header === undefined) return;
    const peer = peerOf(request);
    if (!this.includes(peer.address)) {
      throw new DomainError(
        'forbidden_proxy',
        `The request came through a proxy at ${peer.address} (it has the header ${header}), which Slipway does not trust. Add the address to APP_TRUSTED_PROXIES if the proxy is yours.`,
      );
    }
    setClient(request, {
      address: this.clientAddress(listed(request, 'x-forwarded-for')) ?? peer.address,
      protocol:
        listed(request, 'x-forwarded-proto').at(-1)?.toLowerCase() === 'https' ? 'https' : peer.protocol,
    });
  }

  /** The last address that is not a trusted proxy. The client may have forged those before it. */
  private clientAddress(forwardedFor: readonly string[]): string | undefined {
    for (const entry of forwardedFor.toReversed()) {
      const address = plainAddress(entry.replace(/^\[(.*)\](:\d+)?$/, '$1'));
      if (isIP(address) === 0) return undefined;
      if (!this.includes(address)) return address;
    }
    return undefined;
  }
}

/** Entries of a header that each proxy appends to. */
function listed({ headers }: IncomingMessage, name: string): string[] {
  return itemsOf([headers[name] ?? []].flat().join(','));
}
