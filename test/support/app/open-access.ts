import { AccessPolicy } from '../../../backend/src/core/security/access-policy.js';

/** A policy that admits every request. */
export class OpenAccess extends AccessPolicy {
  override async prepare(): Promise<void> {
    // There is nothing to prepare.
  }

  override async admit(): Promise<void> {
    // Everything is admitted.
  }

  override isOpenTo(): boolean {
    return true;
  }

  override isLooking(): boolean {
    return false;
  }

  override admitsPage(): boolean {
    return true;
  }

  override ticketFor(): string | undefined {
    return undefined;
  }

  override admitUpgrade(): () => void {
    return () => undefined;
  }
}
