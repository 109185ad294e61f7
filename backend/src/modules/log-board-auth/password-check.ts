import { Injectable } from '@nestjs/common';
import { isPassword } from '../../core/secrets/index.js';

/** Hashes that run at once: each takes 32 MiB and a thread. */
const MOST_AT_ONCE = 2;

/** Compares passwords, a few at a time. */
@Injectable()
export class PasswordCheck {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  async matches(password: string, hash: string): Promise<boolean> {
    if (this.running >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await isPassword(password, hash);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
