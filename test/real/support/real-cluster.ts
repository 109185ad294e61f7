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
/** Container port that the control plane publishes. */
export const NODE_PORT = 30_080;

/** A cluster that many parts of a spec share, because a creation takes about a minute. */
export class RealCluster {
  readonly name: string;
  readonly nodes: readonly [string, string];
  /** Temporary files of the parts. */
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-cluster-'));
  /** The kubeconfig of the user, as the product sees it. */
  readonly ownKubeconfig = join(this.folder, 'config');
  /** Host port of {@link NODE_PORT}. */
  port = 0;
  tag = '';
  private started: Product | undefined;

  constructor(readonly engine: EngineName) {
    this.name = `real-${engine}`;
    this.nodes = [`${this.name}-control-plane`, `${this.name}-worker`];
  }

  /** Starts the product. The first part creates the cluster from {@link request}. */
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
  get request(): Record<string, unknown> {
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

  /** The file that the product keeps for this cluster. */
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
  async change(action: string): Promise<JobWithLogDto> {
    return await this.product.change(this.name, action);
  }

  /** Waits for the default ServiceAccount: without it, the API server rejects Pods. */
  async serviceAccount(): Promise<void> {
    const exists = (): Promise<boolean> =>
      this.kubectl('get', 'serviceaccount', 'default').then(
        () => true,
        () => false,
      );
    await waitFor(exists, 'the default ServiceAccount', ACCOUNT_MS);
  }
}
