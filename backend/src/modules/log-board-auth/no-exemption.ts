import { Injectable } from '@nestjs/common';
import { Exemption } from '../auth/index.js';

/** The log board requires a session of everyone. */
@Injectable()
export class NoExemption extends Exemption {
  override async prepare(): Promise<void> {}

  override userOf(): undefined {
    return undefined;
  }
}
