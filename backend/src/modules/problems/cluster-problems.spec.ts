import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  controlledBy,
  kubernetesObject,
  ScriptedResources,
} from '../../../../test/support/kubernetes/scripted-resources.js';
import type { AppLogger } from '../../core/logging/index.js';
import type { KubernetesObject, ResourceType, TableRow } from '../../drivers/kubernetes/index.js';
import {
  kindKey,
  RowFormat,
  TableStore,
  type ClusterResources,
  type TableWatches,
} from '../resources/index.js';
import { ClusterProblems } from './cluster-problems.js';
import { WATCHED } from './workloads.js';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const TICK_MS = 500;
const CLUSTER = { name: 'shop', runtime: 'demo' };

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['Name', 'Ready', 'Up-to-date'],
  ReplicaSet: ['Name', 'Desired', 'Current', 'Ready'],
  Pod: ['Name', 'Ready', 'Status', 'Restarts'],
  PersistentVolumeClaim: ['Name', 'Status'],
  Service: ['Name', 'Type', 'Selector', 'Port(s)'],
  Certificate: ['Name', 'Ready'],
  CertificateRequest: ['Name', 'Ready'],
};

function typeOf(kind: string, group: string, plural: string): ResourceType {
  const rest = { version: 'v1', namespaced: true, verbs: ['watch'], shortNames: [], custom: false };
  return { group, plural, kind, ...rest };
}

/** cert-manager prints a condition; Istio prints none. */
const CUSTOM = [
  { ...typeOf('Certificate', 'cert-manager.io', 'certificates'), custom: true },
  { ...typeOf('CertificateRequest', 'cert-manager.io', 'certificaterequests'), custom: true },
  { ...typeOf('Gateway', 'networking.istio.io', 'gateways'), version: 'v1beta1', custom: true },
];

const TYPES = [
  ...CUSTOM,
  typeOf('Deployment', 'apps', 'deployments'),
  typeOf('Event', '', 'events'),
  ...Object.entries(WATCHED).map(([kind, { group, plural }]) => typeOf(kind, group, plural)),
];

class Cluster {
  readonly api = new ScriptedResources();
  readonly stores = new Map(TYPES.map((type) => [type.kind, storeOf(type)]));
  readonly failures: unknown[] = [];
  readonly watched: string[] = [];
  readonly released: string[] = [];
  readonly problems: ClusterProblems;

  constructor() {
    this.api.served = TYPES;
    this.api.tableWith = ({ plural }) => {
      const columns =
        this.storeOf(TYPES.find((type) => type.plural === plural)?.kind ?? '').format?.columns ?? [];
      return Promise.resolve({ columns, rows: [], continue: null, remaining: 0, resourceVersion: '' });
    };
    const acquire: TableWatches['acquire'] = (_cluster, { kind }) => {
      this.watched.push(kind);
      return { store: this.storeOf(kind), release: () => void this.released.push(kind) };
    };
    const judge: TableWatches['judge'] = (_cluster, judged) => {
      for (const type of TYPES) this.storeOf(type.kind).judge(judged.get(kindKey(type)) ?? new Set());
    };
    this.problems = new ClusterProblems(CLUSTER, {
      resources: {
        open: () => Promise.resolve({ api: this.api, cluster: CLUSTER }),
        podLogs: () => Promise.reject(new Error('no logs')),
      } as unknown as ClusterResources,
      watches: { acquire, judge } as TableWatches,
      logger: {
        failure: (text: string, error: unknown) => void this.failures.push([text, error]),
      } as AppLogger,
      onChange: () => undefined,
    });
  }

  /** An object and its row. */
  put(object: KubernetesObject, ...cells: string[]): void {
    const { kind, metadata } = object;
    const type = TYPES.find((each) => each.kind === kind);
    this.api.put(type?.plural ?? '', object);
    const { name, uid = '', ownerReferences: [owner] = [] } = metadata;
    const row: TableRow = {
      ...{ uid, namespace: 'shop', name, createdAt: null, deletedAt: null, labels: {} },
      owner: owner ? { kind: owner.kind, name: owner.name } : null,
      cells: [name, ...cells],
    };
    this.storeOf(kind).apply([{ type: 'upsert', row }], Date.now());
  }

  /** @returns seconds until the first problem */
  async untilProblem(): Promise<number> {
    return await this.pass(60, () => this.problems.problems.length > 0);
  }

  async pass(seconds: number, isEnough = (): boolean => false): Promise<number> {
    for (let passed = 0; passed <= seconds * 1000; passed += TICK_MS) {
      this.problems.tick(Date.now());
      await jest.advanceTimersByTimeAsync(TICK_MS);
      if (isEnough()) return passed / 1000;
    }
    return Infinity;
  }

  /** `Pod web-1: failed`, of all rows. */
  healths(): string[] {
    return [...this.stores].flatMap(([kind, store]) =>
      store.inOrder().map(({ row, health }) => `${kind} ${row.name}: ${health}`),
    );
  }

  private storeOf(kind: string): TableStore {
    const store = this.stores.get(kind);
    if (!store) throw new Error(`${kind} has no table`);
    return store;
  }
}

function storeOf(type: ResourceType): TableStore {
  const columns = (COLUMNS[type.kind] ?? ['Name']).map((name) => ({
    ...{ name, type: 'string', format: '', description: '', priority: 0 },
  }));
  const store = new TableStore();
  store.replace(new RowFormat(type, columns), []);
  return store;
}

const inShop = (kind: string, name: string, more: object = {}): KubernetesObject =>
  kubernetesObject(kind, name, { namespace: 'shop', ...more });

/** A Deployment with one Pod, which has this status. */
function deploy(cluster: Cluster, podStatus: object, printed: string): void {
  const spec = { replicas: 1, selector: { matchLabels: { app: 'web' } } };
  const status = { replicas: 1, updatedReplicas: 1 };
  const apps = { apiVersion: 'apps/v1', spec, status };
  cluster.put(inShop('Deployment', 'web', apps), '0/1', '1');
  const metadata = controlledBy('Deployment', 'web');
  cluster.put(inShop('ReplicaSet', 'web-5d', { ...apps, metadata }), '1', '1', '0');
  const pod = { spec: { containers: [{ name: 'web', image: 'web:9' }] }, status: podStatus };
  const owner = controlledBy('ReplicaSet', 'web-5d');
  cluster.put(inShop('Pod', 'web-5d-a', { ...pod, metadata: owner }), '0/1', printed, '0');
}

describe('ClusterProblems', () => {
  let cluster: Cluster;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    cluster = new Cluster();
  });

  afterEach(() => {
    cluster.problems.close();
    expect(cluster.failures).toEqual([]);
    jest.useRealTimers();
  });

  const time = new Date(NOW).toISOString();
  it.each<{ what: string; put: () => void; found: string; after: number; healths: string[] }>([
    {
      what: 'a Pod that no node may run, after its start',
      put: () => {
        const message = "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.";
        const refused = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
        const conditions = [{ ...refused, lastTransitionTime: time }];
        deploy(cluster, { phase: 'Pending', conditions }, 'Pending');
      },
      found: 'Deployment web: scheduling_constraint',
      after: 31,
      healths: ['Deployment web: warning', 'ReplicaSet web-5d: warning', 'Pod web-5d-a: warning'],
    },
    {
      what: 'an image that cannot be pulled, at once',
      put: () => {
        const state = { waiting: { reason: 'ImagePullBackOff', message: 'not found' } };
        const containerStatuses = [{ name: 'web', state }];
        deploy(cluster, { phase: 'Pending', containerStatuses }, 'ImagePullBackOff');
      },
      found: 'Deployment web: image_pull',
      after: 1,
      healths: ['Deployment web: warning', 'ReplicaSet web-5d: warning', 'Pod web-5d-a: failed'],
    },
    {
      what: 'a claim that is not provisioned, at once',
      put: () => {
        const spec = { storageClassName: 'fast' };
        const claim = inShop('PersistentVolumeClaim', 'data', { spec, status: { phase: 'Pending' } });
        cluster.put(claim, 'Pending');
        const involvedObject = { uid: claim.metadata.uid };
        const message = 'storageclass.storage.k8s.io "fast" not found';
        const event = { type: 'Warning', reason: 'ProvisioningFailed', message, involvedObject };
        cluster.api.put('events', inShop('Event', 'data.1', event));
      },
      found: 'PersistentVolumeClaim data: volume_claim_unbound',
      after: 1,
      healths: ['PersistentVolumeClaim data: warning'],
    },
    {
      what: 'a Service without endpoints, after the start of its Pods',
      put: () => {
        const spec = { selector: { app: 'none' }, ports: [{ port: 80 }] };
        cluster.put(inShop('Service', 'orphan', { spec }), 'ClusterIP', 'app=none', '80/TCP');
      },
      found: 'Service orphan: no_endpoints',
      after: 11,
      healths: ['Service orphan: warning'],
    },
  ])('finds $what, and all tables show it', async ({ put, found, after, healths }) => {
    put();
    const before = cluster.healths();
    const seconds = await cluster.untilProblem();
    expect(cluster.problems.problems.map(({ kind, name, code }) => `${kind} ${name}: ${code}`)).toEqual([
      found,
    ]);
    expect(seconds).toBeLessThanOrEqual(after + 1);
    expect(seconds).toBeGreaterThanOrEqual(after - 1);
    expect(cluster.healths().sort()).toEqual(healths.sort());
    expect(healths).toEqual(
      expect.arrayContaining(
        cluster.problems.problems.map(({ kind, name, health }) => `${kind} ${name}: ${health}`),
      ),
    );
    cluster.problems.close();
    expect(cluster.healths()).toEqual(before);
  });

  it('finds a custom resource with a failed condition, once with what it owns', async () => {
    const cert = (kind: string, name: string, metadata = {}): KubernetesObject => {
      const message = 'The DNS name does not resolve.';
      const failed = { type: 'Ready', status: 'False', reason: 'Failed', message, lastTransitionTime: time };
      const apiVersion = 'cert-manager.io/v1';
      return inShop(kind, name, { apiVersion, metadata, status: { conditions: [failed] } });
    };
    const start = { ...cert('Certificate', 'shop'), status: {} };
    cluster.put(start, 'True');
    await cluster.pass(5);
    expect(cluster.problems.problems).toEqual([]);
    expect(cluster.watched).toEqual(expect.arrayContaining(['Certificate', 'CertificateRequest']));
    expect(cluster.watched).not.toContain('Gateway');
    cluster.put(cert('Certificate', 'shop'), 'False');
    cluster.put(cert('CertificateRequest', 'shop-1', controlledBy('Certificate', 'shop')), 'False');
    await cluster.untilProblem();
    expect(cluster.problems.problems).toMatchObject([
      {
        group: 'cert-manager.io',
        version: 'v1',
        kind: 'Certificate',
        name: 'shop',
        code: 'reported_failure',
        message: 'Certificate shop reports: Ready is False (Failed): The DNS name does not resolve.',
      },
    ]);
    cluster.put(start, 'True');
    cluster.api.objects.delete('certificaterequests/shop-1');
    await cluster.pass(5);
    expect(cluster.problems.problems).toEqual([]);
  });

  it('ends the watch of a custom kind that is no longer served', async () => {
    await cluster.pass(5);
    cluster.api.served = TYPES.filter(({ kind }) => kind !== 'Certificate');
    await cluster.pass(60);
    expect(cluster.released).toEqual(['Certificate']);
  });

  it('leaves a claim alone that waits for its first Pod', async () => {
    const spec = { storageClassName: 'standard' };
    cluster.put(inShop('PersistentVolumeClaim', 'data', { spec, status: { phase: 'Pending' } }), 'Pending');
    expect(await cluster.untilProblem()).toBe(Infinity);
    expect(cluster.healths()).toEqual(['PersistentVolumeClaim data: progressing']);
    expect(cluster.problems.isKnown).toBe(true);
  });
});
