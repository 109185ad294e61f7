import { registerSecret } from '../logging/index.js';
import { jsonValue } from '../parsing/index.js';
import { recordOf } from '../values/index.js';
import { hashPassword, isPassword } from './password-hash.js';
import type { SealedSecretStore } from './sealed-secret.store.js';

const NAME = 'viewer-password';

interface Kept {
  /** Null if it was removed on the page. */
  hash: string | null;
  /** Hash of the APP_VIEWER_PASS that a start took. Another one is taken; the same one would undo a change on the page. */
  given: string | null;
}

/** The read-only password, as a hash. It is in the database, so that a change takes effect in every process at once. */
export class ViewerPassword {
  /** Ends the masking of the password that was chosen last. */
  private unmask: () => void = () => undefined;

  constructor(private readonly sealed: SealedSecretStore) {}

  /** Undefined without a read-only password. */
  get hash(): string | undefined {
    return this.kept().hash ?? undefined;
  }

  async change(password: string): Promise<void> {
    const unmask = registerSecret(password);
    try {
      const hash = await hashPassword(password);
      this.keep({ ...this.kept(), hash });
    } catch (error) {
      unmask();
      throw error;
    }
    this.unmask();
    this.unmask = unmask;
  }

  remove(): void {
    this.keep({ ...this.kept(), hash: null });
    this.unmask();
  }

  /**
   * Takes the value of APP_VIEWER_PASS, if it is another one than the last. Without one, removes the password that came from it.
   * @returns what changed, for the journal
   */
  async takeGiven(password: string): Promise<string | undefined> {
    const { hash, given } = this.kept();
    if (password === '') {
      if (given === null || hash !== given) return undefined;
      this.keep({ hash: null, given: null });
      return 'APP_VIEWER_PASS is no longer set, which removes it';
    }
    if (given !== null && (await isPassword(password, given))) return undefined;
    const taken = await hashPassword(password);
    this.keep({ hash: taken, given: taken });
    return 'APP_VIEWER_PASS sets another';
  }

  private kept(): Kept {
    const { hash, given } = recordOf(jsonValue(this.sealed.get(NAME) ?? ''));
    return {
      hash: typeof hash === 'string' ? hash : null,
      given: typeof given === 'string' ? given : null,
    };
  }

  private keep(kept: Kept): void {
    this.sealed.put(NAME, JSON.stringify(kept));
  }
}
