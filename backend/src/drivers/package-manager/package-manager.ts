/** The program that installs addons, as it was found. */
export interface PackageManagerStatus {
  name: string;
  version: string | null;
  /** Why it cannot be used, and the command or the page that changes that. */
  problem: { reason: string; fix: string } | null;
}

/** Installs packages into clusters. */
export abstract class PackageManager {
  /** How it stands on this machine. Never fails: what is missing is in the answer. */
  abstract status(): Promise<PackageManagerStatus>;
}
