import { reasonOf } from '../../core/errors/index.js';
import { ClusterConnection, fingerprintOf } from './cluster-connection.js';
import {
  KubernetesGateway,
  type ClusterReadiness,
  type ClusterTarget,
  type NodeReadiness,
} from './kubernetes-gateway.js';

/** The parts that are read of what the API server sends. */
interface Condition {
  type?: string;
  status?: string;
  reason?: string;
}

interface ObjectList {
  items?: { metadata?: { name?: string }; status?: { conditions?: Condition[] } }[];
}

/** Reaches real clusters through their API servers. */
export class ApiServerGateway extends KubernetesGateway {
  override readonly kind = 'kind';
  private readonly connections = new Map<string, Promise<ClusterConnection>>();
  private readonly fingerprints = new Map<string, string>();

  async readiness(target: ClusterTarget): Promise<ClusterReadiness> {
    try {
      const connection = await this.connectionTo(target);
      const ready = await connection.get('/readyz');
      if (ready.status !== 200) {
        return notReady(`the API server says ${ready.status}: ${firstLine(ready.text)}`);
      }
      const [nodes, dns] = await Promise.all([this.nodes(connection), this.isDnsReady(connection)]);
      const waiting = nodes.filter((node) => !node.ready);
      return {
        apiReady: true,
        nodes,
        dnsReady: dns,
        reason:
          waiting.length > 0
            ? `${waiting.map(({ name, reason }) => (reason ? `${name} (${reason})` : name)).join(', ')} ${waiting.length === 1 ? 'is' : 'are'} not ready`
            : !dns
              ? 'no pod of the cluster’s DNS is ready'
              : null,
      };
    } catch (error) {
      return notReady(`the API server does not answer: ${reasonOf(error)}`);
    }
  }

  forget(name: string, runtime: string): void {
    const key = `${runtime}/${name}`;
    void this.connections.get(key)?.then(
      (connection) => connection.close(),
      () => undefined,
    );
    this.connections.delete(key);
    this.fingerprints.delete(key);
  }

  private async connectionTo({ name, runtime, kubeconfig }: ClusterTarget): Promise<ClusterConnection> {
    const key = `${runtime}/${name}`;
    const fingerprint = fingerprintOf(kubeconfig);
    // A cluster that was made again has other credentials under the same name.
    if (this.fingerprints.get(key) !== fingerprint) this.forget(name, runtime);
    let connection = this.connections.get(key);
    if (!connection) {
      connection = ClusterConnection.open(kubeconfig);
      this.connections.set(key, connection);
      this.fingerprints.set(key, fingerprint);
    }
    return await connection;
  }

  private async nodes(connection: ClusterConnection): Promise<NodeReadiness[]> {
    const { items = [] } = await getList(connection, '/api/v1/nodes?limit=100');
    return items.map(({ metadata, status }) => {
      const condition = status?.conditions?.find(({ type }) => type === 'Ready');
      const ready = condition?.status === 'True';
      return { name: metadata?.name ?? '', ready, reason: ready ? null : (condition?.reason ?? null) };
    });
  }

  /** kubeadm's DNS carries this label whatever implements it. */
  private async isDnsReady(connection: ClusterConnection): Promise<boolean> {
    const { items = [] } = await getList(
      connection,
      '/api/v1/namespaces/kube-system/pods?labelSelector=k8s-app%3Dkube-dns&limit=20',
    );
    return items.some(({ status }) =>
      status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
    );
  }
}

async function getList(connection: ClusterConnection, path: string): Promise<ObjectList> {
  const { status, text } = await connection.get(path);
  if (status !== 200) throw new Error(`${path.split('?')[0]} answered ${status}`);
  return JSON.parse(text) as ObjectList;
}

function notReady(reason: string): ClusterReadiness {
  return { apiReady: false, nodes: [], dnsReady: null, reason };
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 200);
}
