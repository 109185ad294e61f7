import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterDto } from '../../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import { freePort } from '../../support/free-port.js';
import { OWN_KUBECONFIG } from '../../support/own-kubeconfig.js';
import { waitFor } from '../../support/wait-for.js';
import type { EngineName } from '../../transcripts/transcript.js';
import { deleteWithKind, run } from './engines.js';
import { Product } from './product.js';

const ACCOUNT_MS = 60_000;
/** Where a node publishes what a pod may serve. */
export const NODE_PORT = 30_080;

/**
 * A cluster that the product makes once and that many parts of a spec look at: to make one takes most of a minute of
 * a core. Its product has a kubeconfig of its own for the user's.
 */
export class RealCluster {
  readonly name: string;
  readonly nodes: readonly [string, string];
  /** For what a part needs on disk. */
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-cluster-'));
  /** What the product takes for the user's kubeconfig. */
  readonly ownKubeconfig = join(this.folder, 'config');
  /** On this machine, for {@link NODE_PORT}. */
  port = 0;
  tag = '';
  private started: Product | undefined;

  constructor(readonly engine: EngineName) {
    this.name = `real-${engine}`;
    this.nodes = [`${this.name}-control-plane`, `${this.name}-worker`];
  }

  /** Starts the product. The cluster is for the first part to make, by {@link wish}. */
  async prepare(): Promise<void> {
    await deleteWithKind(this.engine, this.name);
    writeFileSync(this.ownKubeconfig, OWN_KUBECONFIG, { mode: 0o600 });
    this.started = await Product.started({ KUBECONFIG: this.ownKubeconfig });
    this.tag = await this.product.nodeImageTag();
    this.port = await freePort();
  }

  async discard(): Promise<void> {
    await this.started?.discard();
    await deleteWithKind(this.engine, this.name);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** One control plane, which publishes a port, and one worker. */
  get wish(): Record<string, unknown> {
    return {
      name: this.name,
      runtime: this.engine,
      node_image_tag: this.tag,
      config: `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes:
- role: control-plane
  extraPortMappings:
  - containerPort: ${NODE_PORT}
    hostPort: ${this.port}
    listenAddress: 127.0.0.1
- role: worker
`,
    };
  }

  get product(): Product {
    if (!this.started) throw new Error('the product was not started');
    return this.started;
  }

  /** The product's own file for this cluster. */
  get kubeconfigFile(): string {
    return join(this.product.dataDirectory, 'clusters', this.name, 'kubeconfig');
  }

  async kubectl(...args: string[]): Promise<string> {
    return await run('kubectl', [`--kubeconfig=${this.kubeconfigFile}`, ...args]);
  }

  async read(): Promise<ClusterDto> {
    return (await this.product.call<ClusterDto>('GET', `/clusters/${this.name}`)).body;
  }

  /** @see {@link Product.change} */
  async ask(action: string): Promise<JobWithLogDto> {
    return await this.product.change(this.name, action);
  }

  /** A pod needs the default account of its namespace, which comes a moment after the cluster. */
  async takesPods(): Promise<void> {
    const hasAccount = (): Promise<boolean> =>
      this.kubectl('get', 'serviceaccount', 'default').then(
        () => true,
        () => false,
      );
    await waitFor(hasAccount, 'the default account', ACCOUNT_MS);
  }
}
