import type { Configuration } from '../config/index.js';
import { isLoopbackAddress } from './address.js';

/** Whether other machines reach the server over plain HTTP, with neither TLS nor a proxy that could add it. */
export function isUnencrypted({ values }: Configuration): boolean {
  return !isLoopbackAddress(values.host) && values.tlsCert === '' && values.trustedProxies.length === 0;
}
