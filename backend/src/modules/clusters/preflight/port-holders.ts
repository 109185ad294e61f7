import { Injectable } from '@nestjs/common';
import { findListener } from '../../../drivers/process/index.js';
import { RuntimeRegistry } from '../../../drivers/runtime/index.js';
import { hasEnded } from './claimed-ports.js';

/** Finds out which container or program uses a host port. */
@Injectable()
export class PortHolders {
  constructor(private readonly runtimes: RuntimeRegistry) {}

  /** @returns for example `staging-control-plane of cluster staging`; null if unknown. */
  async of(port: number, protocol: string): Promise<string | null> {
    for (const runtime of this.runtimes.available()) {
      const nodes = await runtime.listNodes().catch(() => []);
      // Podman lists the ports of stopped containers, too.
      const holder = nodes.find(
        (node) =>
          !hasEnded(node) && node.ports.some((own) => own.hostPort === port && own.protocol === protocol),
      );
      if (holder) return `${holder.name} of cluster ${holder.cluster}`;
    }
    const listener = await findListener(port, protocol);
    if (listener?.pid === process.pid) return 'Slipway';
    return listener ? `${listener.name} (process ${listener.pid})` : null;
  }
}
