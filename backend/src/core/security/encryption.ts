import type { Configuration } from '../config/index.js';
import { isLoopbackAddress } from './address.js';

/** Advice if `isUnencrypted`. */
export const UNENCRYPTED_FIX =
  'Set APP_TLS_CERT and APP_TLS_KEY, or put a TLS proxy in front of Slipway and set APP_TRUSTED_PROXIES.';

export function schemeOf({ values }: Configuration): 'http' | 'https' {
  return values.tlsCert === '' ? 'http' : 'https';
}

/**
 * Whether other machines can reach the server over plain HTTP, without TLS and without a trusted proxy.
 * @param published the ports of the container in which Slipway runs; only these are reachable from the network.
 */
export function isUnencrypted(
  { values }: Configuration,
  published: readonly { containerPort: number; hostAddress: string }[] | undefined,
): boolean {
  const { host, port, logBoardPort, tlsCert, trustedProxies } = values;
  if (isLoopbackAddress(host) || tlsCert !== '' || trustedProxies.length > 0) return false;
  return (
    published === undefined ||
    published.some(
      ({ containerPort, hostAddress }) =>
        [port, logBoardPort].includes(containerPort) && !isLoopbackAddress(hostAddress),
    )
  );
}
