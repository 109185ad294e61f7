import { userInfo } from 'node:os';

export function processUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user id has no entry in the system's user table, as in some containers.
    return String(process.geteuid?.() ?? 'unknown');
  }
}
