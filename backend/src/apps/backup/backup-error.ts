/** Ends a backup or a restore with a message for the user: what happened, why, what to do. */
export class BackupError extends Error {}
