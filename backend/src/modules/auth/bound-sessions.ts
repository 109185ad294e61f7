import { Injectable } from '@nestjs/common';
import { Secrets } from '../../core/secrets/index.js';
import { MachineExemption } from './machine-exemption.js';
import { randomToken } from './tokens/secret-token.js';

/** Marks such sessions in the database. Of this process only, so that none outlives it; shared by both applications. */
let mark = randomToken();

/** Sessions that were started without a password. They end for good when a password is needed. */
@Injectable()
export class BoundSessions {
  constructor(
    private readonly machine: MachineExemption,
    private readonly secrets: Secrets,
  ) {}

  /** The generation of these sessions; undefined while a password is needed. */
  generation(): string | undefined {
    if (this.machine.state() !== 'required') return `${this.secrets.generation} ${mark}`;
    mark = randomToken();
    return undefined;
  }
}
