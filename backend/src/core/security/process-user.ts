import { userInfo } from 'node:os';

/** Name of the system user who runs this process. */
export function processUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry in the system's table of users, as containers have them.
    return String(process.geteuid?.() ?? 'unknown');
  }
}
