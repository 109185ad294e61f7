import type { Configuration } from '../config/index.js';
import { isLoopbackAddress } from './address.js';

/** Advice if `isUnencrypted`. */
export const UNENCRYPTED_FIX =
  'Set APP_TLS_CERT and APP_TLS_KEY, or put a TLS proxy in front of Slipway and set APP_TRUSTED_PROXIES.';

export function schemeOf({ values }: Configuration): 'http' | 'https' {
  return values.tlsCert === '' ? 'http' : 'https';
}

/** Whether other machines can reach the server over plain HTTP, without TLS and without a trusted proxy. */
export function isUnencrypted(configuration: Configuration): boolean {
  const { host, trustedProxies } = configuration.values;
  return !isLoopbackAddress(host) && schemeOf(configuration) === 'http' && trustedProxies.length === 0;
}
