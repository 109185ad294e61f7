import { userInfo } from 'node:os';

export function processUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user id has no entry in the system's user table, as in some containers.
    return String(process.geteuid?.() ?? 'unknown');
  }
}

const ROOT = 0;
/** The kernel's overflow uid for users without a mapping in a user namespace: it can be anyone. */
const UNMAPPED = 65534;

/** Name of a system user who may act as the user of Slipway: that user and root. Undefined for others. */
export function localUserName(uid: number | undefined): string | undefined {
  if (uid === undefined || uid === UNMAPPED) return undefined;
  if (uid === ROOT) return 'root';
  return uid === process.geteuid?.() ? processUserName() : undefined;
}
