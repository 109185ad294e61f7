import { randomBytes } from 'node:crypto';
import { isSameText } from './same-text.js';

/**
 * The credential of the user who runs Slipway, for the command line. It is created at each start and is only in memory
 * and in the server files of the data folder (mode 0600), which give their reader all rights.
 */
export class OwnerToken {
  /** In the form of an access token, so that everything that masks those masks it too. */
  readonly value = `slipway_${randomBytes(32).toString('base64url')}`;

  matches(token: string): boolean {
    return isSameText(token, this.value);
  }
}
