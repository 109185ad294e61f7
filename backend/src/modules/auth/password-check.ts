import { Injectable } from '@nestjs/common';
import { isPassword } from '../../core/secrets/index.js';

/** Each hash takes 32 MiB and a thread. */
const MAX_CONCURRENT = 2;

@Injectable()
export class PasswordCheck {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  async matches(password: string, hash: string): Promise<boolean> {
    if (this.running >= MAX_CONCURRENT) await new Promise<void>((resolve) => this.waiting.push(resolve));
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
