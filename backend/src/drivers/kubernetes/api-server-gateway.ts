import { reasonOf } from '../../core/errors/index.js';
import { jsonValue, parseJson } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';
import { directRoute, type ApiRoute } from './api-route.js';
import { ClusterConnection } from './cluster-connection.js';
import { ClusterKubeconfig } from './cluster-kubeconfig.js';
import { ConnectionPodLogs } from './connection-pod-logs.js';
import { ConnectionResources } from './connection-resources.js';
import {
  KubernetesGateway,
  type ClusterReadiness,
  type ClusterTarget,
  type ClusterWorkloads,
  type NodeReadiness,
} from './kubernetes-gateway.js';
import { NamespacedResources } from './namespaced-resources.js';
import type { PodLogs } from './pod-logs.js';
import { hasCondition, objectPage, specOf, statusOf, type KubernetesObject } from './object-fields.js';
import type { ResourceApi } from './resource-api.js';
import { countWorkloads } from './workload-count.js';

interface ReachedCluster {
  connection: ClusterConnection;
  /** Caches the discovery. */
  resources: ResourceApi;
  podLogs: PodLogs;
}

/** With a suffix of the distribution: `v1.31.4+k3s1`, `v1.33.1-gke.1386000`. */
const VERSION = /^v\d{1,3}\.\d{1,3}\.[\w.+-]{1,60}$/;

type StartTimes = NonNullable<ClusterTarget['startedAt']>;

export class ApiServerGateway extends KubernetesGateway {
  override readonly kind = 'kind';
  private readonly clusters = new Map<string, { identity: string; reached: Promise<ReachedCluster> }>();

  constructor(private readonly route: ApiRoute = directRoute) {
    super();
  }

  async readiness(target: ClusterTarget): Promise<ClusterReadiness> {
    try {
      const { connection } = await this.reach(target);
      const ready = await connection.send({ path: '/readyz' });
      if (ready.status !== 200) {
        const [said = ''] = ready.text.split('\n');
        return notReady(`the API server returned ${ready.status}: ${said.slice(0, 200)}`);
      }
      const { startedAt = {} } = target;
      const [nodes, dns] = await Promise.all([
        this.nodes(connection, startedAt),
        this.problemOfDns(connection, startedAt),
      ]);
      const waiting = nodes.filter((node) => !node.ready);
      return {
        apiReady: true,
        nodes,
        dnsReady: dns === null,
        reason:
          waiting.length > 0
            ? `${waiting.map(({ name, reason }) => (reason ? `${name} (${reason})` : name)).join(', ')} ${waiting.length === 1 ? 'is' : 'are'} not ready`
            : dns,
      };
    } catch (error) {
      return notReady(`the API server does not respond: ${reasonOf(error)}`);
    }
  }

  async version(target: ClusterTarget): Promise<string | null> {
    const { connection } = await this.reach(target);
    const { status, text } = await connection.send({ path: '/version' });
    if (status === 401) throw new Error('the server does not accept the credentials (401 Unauthorized)');
    // This user may not see it, but an API server says so.
    if (status === 403) return null;
    const found = recordOf(jsonValue(text))['gitVersion'];
    if (status === 200 && typeof found === 'string' && VERSION.test(found)) return found;
    throw new Error(
      status === 200 ? 'the server is no Kubernetes API server' : `the server returned ${status}`,
    );
  }

  async workloads(target: ClusterTarget): Promise<ClusterWorkloads | null> {
    return await countWorkloads((await this.reach(target)).connection);
  }

  async resources(target: ClusterTarget): Promise<ResourceApi> {
    return (await this.reach(target)).resources;
  }

  async podLogs(target: ClusterTarget): Promise<PodLogs> {
    return (await this.reach(target)).podLogs;
  }

  forget(name: string, runtime: string): void {
    const key = `${runtime}/${name}`;
    this.clusters.get(key)?.reached.then(
      ({ connection }) => connection.close(),
      () => undefined,
    );
    this.clusters.delete(key);
  }

  private async reach(target: ClusterTarget): Promise<ReachedCluster> {
    const { name, runtime, kubeconfig } = target;
    const key = `${runtime}/${name}`;
    const known = this.clusters.get(key);
    const identity = kubeconfig instanceof ClusterKubeconfig ? kubeconfig.text : kubeconfig.identity;
    if (known?.identity === identity) return await known.reached;
    // A recreated cluster has the same name and other credentials.
    this.forget(name, runtime);
    const opened = { identity, reached: this.connect(target) };
    this.clusters.set(key, opened);
    try {
      return await opened.reached;
    } catch (error) {
      if (this.clusters.get(key) === opened) this.clusters.delete(key);
      throw error;
    }
  }

  private async connect(target: ClusterTarget): Promise<ReachedCluster> {
    const access = await this.route(target);
    const connection = ClusterConnection.open(access);
    const { namespaces } = access;
    return {
      connection,
      resources: namespaces
        ? new NamespacedResources(target.name, connection, namespaces)
        : new ConnectionResources(target.name, connection),
      podLogs: new ConnectionPodLogs(target.name, connection),
    };
  }

  private async nodes(connection: ClusterConnection, startedAt: StartTimes): Promise<NodeReadiness[]> {
    const [items, renewals] = await Promise.all([
      getList(connection, '/api/v1/nodes?limit=100'),
      Object.keys(startedAt).length > 0 ? this.renewals(connection) : new Map<string, string>(),
    ]);
    return items.map((node) => {
      const { name } = node.metadata;
      const condition = statusOf(node).conditions?.find(({ type }) => type === 'Ready');
      if (condition?.status !== 'True') return { name, ready: false, reason: condition?.reason ?? null };
      const start = startedAt[name];
      const ready = start === undefined || Date.parse(renewals.get(name) ?? '') > Date.parse(start);
      return { name, ready, reason: ready ? null : 'no heartbeat since its start' };
    });
  }

  /** The last heartbeat of each node's kubelet, which renews its lease every 10 s. */
  private async renewals(connection: ClusterConnection): Promise<Map<string, string>> {
    const items = await getList(
      connection,
      '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases?limit=100',
    );
    return new Map(items.map((lease) => [lease.metadata.name, specOf(lease).renewTime ?? '']));
  }

  /** kubeadm uses the first label for every DNS implementation, and the Helm chart of CoreDNS the second. */
  private async problemOfDns(connection: ClusterConnection, startedAt: StartTimes): Promise<string | null> {
    const selector = encodeURIComponent('k8s-app in (kube-dns,coredns)');
    const items = await getList(
      connection,
      `/api/v1/namespaces/kube-system/pods?labelSelector=${selector}&limit=20`,
    );
    const isReady = items.some((pod) => {
      const ready = hasCondition(pod, 'Ready');
      const nodeStart = startedAt[specOf(pod).nodeName ?? ''];
      if (!ready || nodeStart === undefined) return ready;
      // The times of Pods are whole seconds.
      const second = nodeStart.replace(/\.\d+/, '');
      return statusOf(pod).containerStatuses?.some(
        ({ state }) => Date.parse(state?.running?.startedAt ?? '') >= Date.parse(second),
      );
    });
    if (isReady) return null;
    if (items.length === 0) return 'the cluster has no DNS';
    const unscheduled = items
      .flatMap((pod) => statusOf(pod).conditions ?? [])
      .find(
        ({ type, status, message }) => type === 'PodScheduled' && status === 'False' && message !== undefined,
      );
    const [why] = (unscheduled?.message ?? '').split('. ');
    return `no Pod of the cluster DNS is ready${why ? ` (${why.slice(0, 200)})` : ''}`;
  }
}

async function getList(connection: ClusterConnection, path: string): Promise<KubernetesObject[]> {
  const { status, text } = await connection.send({ path });
  if (status !== 200) throw new Error(`${path.split('?')[0]} returned ${status}`);
  return objectPage(parseJson(text)).objects;
}

function notReady(reason: string): ClusterReadiness {
  return { apiReady: false, nodes: [], dnsReady: null, reason };
}
