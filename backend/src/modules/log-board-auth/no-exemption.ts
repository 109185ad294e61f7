import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Exemption, MachineExemption, SessionsService } from '../auth/index.js';

/** The log board requires a session of everyone. */
@Injectable()
export class NoExemption extends Exemption {
  constructor(
    private readonly machine: MachineExemption,
    private readonly sessions: SessionsService,
  ) {
    super();
  }

  /** A session that the dashboard passed on ends as soon as there is a virtual machine. */
  override async prepare(): Promise<void> {
    if (this.machine.isConfigured) await this.machine.look();
  }

  override userOf(): undefined {
    return undefined;
  }

  override isLooking(): boolean {
    return false;
  }

  override explain(request: IncomingMessage): string {
    const { id } = (request as { user?: { id?: string } }).user ?? {};
    return id !== undefined && this.sessions.isBound(id)
      ? 'No password was needed: you came from the dashboard, which needs none. This session ends when the dashboard needs one.'
      : 'A password is needed, because the log board always requires a sign-in; only the dashboard can pass on that it needs none.';
  }
}
