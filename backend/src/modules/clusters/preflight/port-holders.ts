import { Injectable } from '@nestjs/common';
import { findListener } from '../../../drivers/process/index.js';
import { RuntimeRegistry } from '../../../drivers/runtime/index.js';

/** Says who has a port of this machine that is not free. */
@Injectable()
export class PortHolders {
  constructor(private readonly runtimes: RuntimeRegistry) {}

  /** @returns for example `staging-control-plane of the cluster staging`; null where nobody can tell. */
  async of(port: number, protocol: string): Promise<string | null> {
    for (const runtime of this.runtimes.available()) {
      // An engine that does not answer now is no reason to say nothing at all.
      const nodes = await runtime.listNodes().catch(() => []);
      const holder = nodes.find(({ ports }) =>
        ports.some((own) => own.hostPort === port && own.protocol === protocol),
      );
      if (holder) return `${holder.name} of the cluster ${holder.cluster}`;
    }
    const listener = await findListener(port, protocol);
    return listener ? `${listener.name} (process ${listener.pid})` : null;
  }
}
