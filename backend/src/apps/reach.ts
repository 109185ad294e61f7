import type { Configuration } from '../core/config/index.js';

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1)$/;

/** Whether the dashboard listens where other machines do not reach it by themselves. */
export function isOnLoopback({ values: { host } }: Configuration): boolean {
  return LOOPBACK.test(host);
}

/**
 * Whether others than the users of this machine may reach the dashboard: on another address than loopback, and
 * under a name that was allowed, which may be a proxy's.
 */
export function needsSignIn(configuration: Configuration): boolean {
  return !isOnLoopback(configuration) || configuration.values.allowedHosts.length > 0;
}
