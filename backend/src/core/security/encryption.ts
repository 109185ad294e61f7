import type { Configuration } from '../config/index.js';
import { isLoopbackAddress } from './address.js';

/** What to do where `isUnencrypted`. */
export const UNENCRYPTED_FIX =
  'Set APP_TLS_CERT and APP_TLS_KEY, or put a proxy with TLS before it and set APP_TRUSTED_PROXIES.';

/** What the server itself speaks. */
export function schemeOf({ values }: Configuration): 'http' | 'https' {
  return values.tlsCert === '' ? 'http' : 'https';
}

/** Whether other machines reach the server over plain HTTP, with neither TLS nor a proxy that could add it. */
export function isUnencrypted(configuration: Configuration): boolean {
  const { host, trustedProxies } = configuration.values;
  return !isLoopbackAddress(host) && schemeOf(configuration) === 'http' && trustedProxies.length === 0;
}
