import { reasonOf } from '../../core/errors/index.js';
import { ClusterConnection } from './cluster-connection.js';
import { ConnectionPodLogs } from './connection-pod-logs.js';
import { ConnectionResources } from './connection-resources.js';
import {
  KubernetesGateway,
  type ClusterReadiness,
  type ClusterTarget,
  type ClusterWorkloads,
  type NodeReadiness,
} from './kubernetes-gateway.js';
import type { PodLogs } from './pod-logs.js';
import type { ResourceApi } from './resource-api.js';
import { countWorkloads } from './workload-count.js';

interface ObjectList {
  items?: {
    metadata?: { name?: string };
    spec?: { nodeName?: string; renewTime?: string };
    status?: {
      conditions?: { type?: string; status?: string; reason?: string }[];
      containerStatuses?: { state?: { running?: { startedAt?: string } } }[];
    };
  }[];
}

interface ReachedCluster {
  kubeconfig: string;
  connection: ClusterConnection;
  /** Caches the discovery. */
  resources: ResourceApi;
  podLogs: PodLogs;
}

type StartTimes = NonNullable<ClusterTarget['startedAt']>;

export class ApiServerGateway extends KubernetesGateway {
  override readonly kind = 'kind';
  private readonly clusters = new Map<string, ReachedCluster>();

  async readiness(target: ClusterTarget): Promise<ClusterReadiness> {
    try {
      const { connection } = this.reach(target);
      const ready = await connection.send({ path: '/readyz' });
      if (ready.status !== 200) {
        const [said = ''] = ready.text.split('\n');
        return notReady(`the API server returned ${ready.status}: ${said.slice(0, 200)}`);
      }
      const { startedAt = {} } = target;
      const [nodes, dns] = await Promise.all([
        this.nodes(connection, startedAt),
        this.isDnsReady(connection, startedAt),
      ]);
      const waiting = nodes.filter((node) => !node.ready);
      return {
        apiReady: true,
        nodes,
        dnsReady: dns,
        reason:
          waiting.length > 0
            ? `${waiting.map(({ name, reason }) => (reason ? `${name} (${reason})` : name)).join(', ')} ${waiting.length === 1 ? 'is' : 'are'} not ready`
            : !dns
              ? 'no Pod of the cluster DNS is ready'
              : null,
      };
    } catch (error) {
      return notReady(`the API server does not respond: ${reasonOf(error)}`);
    }
  }

  workloads(target: ClusterTarget): Promise<ClusterWorkloads | null> {
    return countWorkloads(this.reach(target).connection);
  }

  resources(target: ClusterTarget): Promise<ResourceApi> {
    return Promise.resolve(this.reach(target).resources);
  }

  podLogs(target: ClusterTarget): Promise<PodLogs> {
    return Promise.resolve(this.reach(target).podLogs);
  }

  forget(name: string, runtime: string): void {
    const key = `${runtime}/${name}`;
    this.clusters.get(key)?.connection.close();
    this.clusters.delete(key);
  }

  private reach({ name, runtime, kubeconfig }: ClusterTarget): ReachedCluster {
    const key = `${runtime}/${name}`;
    const known = this.clusters.get(key);
    if (known?.kubeconfig === kubeconfig.text) return known;
    // A recreated cluster has the same name and other credentials.
    this.forget(name, runtime);
    const connection = ClusterConnection.open(kubeconfig);
    const cluster = {
      kubeconfig: kubeconfig.text,
      connection,
      resources: new ConnectionResources(name, connection),
      podLogs: new ConnectionPodLogs(name, connection),
    };
    this.clusters.set(key, cluster);
    return cluster;
  }

  private async nodes(connection: ClusterConnection, startedAt: StartTimes): Promise<NodeReadiness[]> {
    const [{ items = [] }, renewals] = await Promise.all([
      getList(connection, '/api/v1/nodes?limit=100'),
      Object.keys(startedAt).length > 0 ? this.renewals(connection) : new Map<string, string>(),
    ]);
    return items.map(({ metadata, status }) => {
      const name = metadata?.name ?? '';
      const condition = status?.conditions?.find(({ type }) => type === 'Ready');
      if (condition?.status !== 'True') return { name, ready: false, reason: condition?.reason ?? null };
      const start = startedAt[name];
      const ready = start === undefined || Date.parse(renewals.get(name) ?? '') > Date.parse(start);
      return { name, ready, reason: ready ? null : 'no heartbeat since its start' };
    });
  }

  /** The last heartbeat of each node's kubelet, which renews its lease every 10 s. */
  private async renewals(connection: ClusterConnection): Promise<Map<string, string>> {
    const { items = [] } = await getList(
      connection,
      '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases?limit=100',
    );
    return new Map(items.map(({ metadata, spec }) => [metadata?.name ?? '', spec?.renewTime ?? '']));
  }

  /** kubeadm uses this label for every DNS implementation. */
  private async isDnsReady(connection: ClusterConnection, startedAt: StartTimes): Promise<boolean> {
    const { items = [] } = await getList(
      connection,
      '/api/v1/namespaces/kube-system/pods?labelSelector=k8s-app%3Dkube-dns&limit=20',
    );
    return items.some(({ spec, status }) => {
      const ready = status?.conditions?.some(
        ({ type, status: value }) => type === 'Ready' && value === 'True',
      );
      const nodeStart = startedAt[spec?.nodeName ?? ''];
      if (ready !== true || nodeStart === undefined) return ready === true;
      // The times of Pods are whole seconds.
      const second = nodeStart.replace(/\.\d+/, '');
      return status?.containerStatuses?.some(
        ({ state }) => Date.parse(state?.running?.startedAt ?? '') >= Date.parse(second),
      );
    });
  }
}

async function getList(connection: ClusterConnection, path: string): Promise<ObjectList> {
  const { status, text } = await connection.send({ path });
  if (status !== 200) throw new Error(`${path.split('?')[0]} returned ${status}`);
  return JSON.parse(text) as ObjectList;
}

function notReady(reason: string): ClusterReadiness {
  return { apiReady: false, nodes: [], dnsReady: null, reason };
}
