import type { NodeRole, NodeSettings } from '../../../backend/src/drivers/runtime/index.js';
import { planNodes, type KindConfig } from '../programs/planned-nodes.js';
import { FakeRuntime } from './fake-runtime.js';

export const IMAGE = 'kindest/node:v1.34.4';

/** An engine with one cluster that is created from a config like kind does. */
export class EngineWithCluster extends FakeRuntime {
  made: NodeSettings[] = [];
  files: Record<string, Record<string, string>> = {};

  override inspectNodes(): Promise<NodeSettings[]> {
    return Promise.resolve(this.made);
  }

  override readNodeFile(node: string, path: string): Promise<string | undefined> {
    return Promise.resolve(this.files[node]?.[path]);
  }

  make(config: KindConfig): void {
    for (const { name, role, image, ports, mounts, files } of planNodes('docker', 'old', config)) {
      const withApi = role === 'worker' ? ports : [...ports, apiPort('127.0.0.1', 40_123)];
      const settings = mounts.map(
        (mount) => ({ ...mount, propagation: 'private', relabelled: false }) as const,
      );
      this.add(name, role, { image, ports: withApi, mounts: settings, files });
    }
  }

  /** Reverses the order of nodes, because engines list them in any order. */
  add(
    name: string,
    role: NodeRole,
    { files = {}, ...more }: Partial<NodeSettings> & { files?: Record<string, string> },
  ): void {
    const own = {
      hostPath: '/lib/modules',
      containerPath: '/lib/modules',
      readOnly: true,
      propagation: 'private',
      relabelled: false,
    } as const;
    this.made.unshift({
      id: name,
      name,
      role,
      image: IMAGE,
      ports: [],
      environment: {},
      ...more,
      mounts: [own, ...(more.mounts ?? [])],
    });
    this.files[name] = files;
  }
}

/** The published address of an API server. */
export function apiPort(hostAddress: string, hostPort: number): NodeSettings['ports'][number] {
  return { hostAddress, hostPort, containerPort: 6443, protocol: 'TCP' };
}
