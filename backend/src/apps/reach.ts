import type { Configuration } from '../core/config/index.js';
import { isLoopbackAddress } from '../core/security/index.js';

/** Whether the dashboard listens where other machines do not reach it by themselves. */
export function isOnLoopback({ values: { host } }: Configuration): boolean {
  return isLoopbackAddress(host);
}

/**
 * Whether others than the users of this machine may reach the dashboard: on another address than loopback, and
 * under a name that was allowed, which may be a proxy's.
 */
export function needsSignIn(configuration: Configuration): boolean {
  return !isOnLoopback(configuration) || configuration.values.allowedHosts.length > 0;
}
