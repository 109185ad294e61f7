import { userInfo } from 'node:os';

export function processUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user id has no entry in the system's user table, as in some containers.
    return String(process.geteuid?.() ?? 'unknown');
  }
}

/** The kernel's overflow uid for users without a mapping in a user namespace: it can be anyone. */
const UNMAPPED = 65534;

/**
 * Name of the system user who may act as the user of Slipway: the process's own effective user. Undefined for others, also
 * for root: a connection of root can be a relay's, which passes on what anyone sends.
 */
export function localUserName(uid: number | undefined): string | undefined {
  if (uid === undefined || uid === UNMAPPED) return undefined;
  return uid === process.geteuid?.() ? processUserName() : undefined;
}
