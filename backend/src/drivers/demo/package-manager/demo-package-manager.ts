import { readProject } from '../../../core/config/index.js';
import { DomainError } from '../../../core/errors/index.js';
import {
  ConnectionResources,
  referenceOf,
  type ClusterTarget,
  type KubernetesObject,
  type ResourceApi,
  type ResourceReference,
} from '../../kubernetes/index.js';
import {
  checkSchema,
  PackageManager,
  readChartArchive,
  readValues,
  type Chart,
  type ChartRequest,
  type ChartSource,
  type OfferedChart,
  type OperationOptions,
  type PackageManagerStatus,
  type Release,
  type ReleaseContents,
  type ReleaseName,
  type ReleaseRevision,
  type ReleaseStatus,
  type RenderRequest,
} from '../../package-manager/index.js';
import { CommandError } from '../../process/index.js';
import type { DemoWorld } from '../demo-world.js';
import { chartOf, DEMO_CHARTS } from './demo-charts.js';
import { ReleaseStore, removeIfExists, type ReleaseRecord } from './release-records.js';
import { yaml } from '../demo-yaml.js';

type Operation = 'install' | 'upgrade' | 'rollback' | 'uninstall';

/** Seconds of demo time between two checks of a condition. */
const POLL_SECONDS = 0.5;

/** Installs charts into demo clusters: applies their objects and waits until the pods are ready. */
export class DemoPackageManager extends PackageManager {
  override readonly kind = 'demo';

  constructor(private readonly world: DemoWorld) {
    super();
  }

  override status(): Promise<PackageManagerStatus> {
    return Promise.resolve({
      name: 'demo package manager',
      version: readProject().version,
      problem: null,
      warning: null,
    });
  }

  /** Every repository of the demo has the same charts. */
  override offered(): Promise<OfferedChart[]> {
    return Promise.resolve(
      DEMO_CHARTS.map(({ name, version, appVersion, description }) => ({
        name,
        description,
        versions: [{ version, appVersion }],
      })),
    );
  }

  override async chart(source: ChartSource): Promise<Chart> {
    if (source.type === 'archive') return await readChartArchive(source.file);
    const wanted = source.type === 'repository' ? source.chart : (source.reference.split('/').at(-1) ?? '');
    const found = DEMO_CHARTS.find(({ name }) => name === wanted);
    if (!found) throw new DomainError('chart_not_found', `Chart ${wanted} does not exist in the demo.`);
    const version = source.version ?? found.version;
    return chartOf({ ...found, version }, { ...source, version });
  }

  override async list(cluster: ClusterTarget): Promise<Release[]> {
    const last = new Map<string, ReleaseRecord>();
    for (const record of await this.store(cluster).all()) {
      const key = `${record.namespace}/${record.release}`;
      if ((last.get(key)?.revision ?? 0) < record.revision) last.set(key, record);
    }
    return [...last.values()].map((record) => ({
      release: record.release,
      namespace: record.namespace,
      revision: record.revision,
      status: record.status,
      chart: record.chart,
      version: record.version,
      appVersion: record.appVersion,
      updatedAt: record.updatedAt,
    }));
  }

  override async history(cluster: ClusterTarget, name: ReleaseName): Promise<ReleaseRevision[]> {
    const records = await this.store(cluster).revisions(name);
    if (records.length === 0) throw missing(name);
    return records.map(({ revision, status, chart, version, appVersion, updatedAt, description }) => ({
      revision,
      status,
      chart,
      version,
      appVersion,
      updatedAt,
      description,
    }));
  }

  override async contents(
    cluster: ClusterTarget,
    name: ReleaseName,
    revision?: number,
  ): Promise<ReleaseContents> {
    const records = await this.store(cluster).revisions(name);
    const found = records.find((record) => revision === undefined || record.revision === revision);
    if (!found) throw missing(name);
    const { values, computedValues, notes, manifest } = found;
    return { values, computedValues, notes, manifest };
  }

  override render(_cluster: ClusterTarget, request: RenderRequest): Promise<string> {
    return this.preview(request);
  }

  override async preview(request: RenderRequest): Promise<string> {
    await assertValuesFit(request);
    return (await yaml.renderRelease(request, new Date().toISOString())).manifest;
  }

  override async install(
    cluster: ClusterTarget,
    request: ChartRequest,
    options: OperationOptions,
  ): Promise<void> {
    const before = await this.store(cluster).revisions(request);
    if (before.length > 0) {
      throw new DomainError(
        'release_exists',
        `Release ${request.release} already exists in ${request.namespace}.`,
      );
    }
    await assertValuesFit(request);
    const record = {
      ...(await yaml.renderRelease(request, new Date().toISOString())),
      revision: 1,
      status: 'pending-install' as const,
      description: 'Initial install underway',
    };
    await this.perform(cluster, 'install', record, [], options);
  }

  override async upgrade(
    cluster: ClusterTarget,
    request: ChartRequest,
    options: OperationOptions,
  ): Promise<void> {
    const before = await this.store(cluster).revisions(request);
    const [last] = before;
    if (!last) throw missing(request);
    if (last.status.startsWith('pending-')) {
      throw new DomainError('release_busy', `Another operation on ${request.release} is in progress.`);
    }
    await assertValuesFit(request);
    const record = {
      ...(await yaml.renderRelease(request, new Date().toISOString())),
      revision: last.revision + 1,
      status: 'pending-upgrade' as const,
      description: 'Preparing upgrade',
    };
    await this.perform(cluster, 'upgrade', record, before, options);
  }

  override async rollback(
    cluster: ClusterTarget,
    name: ReleaseName,
    revision: number,
    options: OperationOptions,
  ): Promise<void> {
    const before = await this.store(cluster).revisions(name);
    const target = before.find((record) => record.revision === revision);
    const [last] = before;
    if (!target || !last) throw missing(name);
    const record = {
      ...target,
      revision: last.revision + 1,
      status: 'pending-rollback' as const,
      updatedAt: new Date().toISOString(),
      description: `Rollback to ${revision}`,
    };
    await this.perform(cluster, 'rollback', record, before, options);
  }

  override async uninstall(
    cluster: ClusterTarget,
    name: ReleaseName,
    options: OperationOptions,
  ): Promise<void> {
    const store = this.store(cluster);
    const records = await store.revisions(name);
    const [last] = records;
    if (!last) return;
    await store.save({ ...last, status: 'uninstalling', description: 'Deletion in progress' });
    const api = this.api(cluster);
    const objects = await yaml.manifestObjects(last.manifest);
    await this.abortable('uninstall', options, async () => {
      for (const object of objects.toReversed()) await this.removeObject(api, object);
      this.world.failIfConfigured('uninstall', name.release);
      await this.until(options, 'uninstall', async () => {
        const pods = await api.list(POD, {
          namespace: name.namespace,
          labelSelector: `app.kubernetes.io/instance=${name.release}`,
        });
        return pods.length === 0;
      });
    });
    for (const record of records) await store.delete(record);
  }

  private async perform(
    cluster: ClusterTarget,
    operation: Operation,
    record: ReleaseRecord,
    before: readonly ReleaseRecord[],
    options: OperationOptions,
  ): Promise<void> {
    const store = this.store(cluster);
    const api = this.api(cluster);
    const objects = await yaml.manifestObjects(record.manifest);
    await api.apply(
      { group: '', version: 'v1', plural: 'namespaces', namespace: null, name: record.namespace },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: record.namespace } },
    );
    await store.save(record);
    const end = async (status: ReleaseStatus, description: string): Promise<void> =>
      await store.save({ ...record, status, description });
    try {
      await this.abortable(operation, options, async () => {
        for (const object of objects) {
          await api.apply(await this.referenceOf(api, object), object, { force: true });
        }
        const kept = new Set(objects.map(nameOf));
        const earlier = await yaml.manifestObjects(before[0]?.manifest ?? '');
        const dropped = earlier.filter((object) => !kept.has(nameOf(object)));
        for (const object of dropped) await this.removeObject(api, object);
        this.world.failIfConfigured(operation, record.release);
        await this.until(options, operation, () => this.areReady(api, objects));
      });
    } catch (error) {
      // Like helm, an aborted operation leaves its revision pending.
      const aborted = error instanceof CommandError && error.failure === 'aborted';
      if (!aborted) await end('failed', `${operation} failed`);
      throw error;
    }
    for (const earlier of before.filter(({ status }) => status !== 'superseded' && status !== 'failed')) {
      await store.save({ ...earlier, status: 'superseded' });
    }
    await end(
      'deployed',
      record.description.startsWith('Rollback')
        ? record.description
        : `${operation === 'install' ? 'Install' : 'Upgrade'} complete`,
    );
  }

  private async abortable(
    operation: Operation,
    { tracking }: OperationOptions,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (tracking.signal?.aborted !== true) throw error;
      throw new CommandError({ program: 'helm', args: [operation], failure: 'aborted' });
    }
  }

  private async until(
    { tracking, timeoutMs }: OperationOptions,
    operation: Operation,
    isDone: () => Promise<boolean>,
  ): Promise<void> {
    const begun = Date.now();
    while (!(await isDone())) {
      if (Date.now() - begun > timeoutMs) {
        throw new CommandError({
          program: 'helm',
          args: [operation],
          failure: 'timed-out',
          durationMs: timeoutMs,
        });
      }
      await this.world.pass(POLL_SECONDS, tracking.signal);
    }
    tracking.signal?.throwIfAborted();
  }

  private async areReady(api: ResourceApi, objects: readonly KubernetesObject[]): Promise<boolean> {
    for (const object of objects.filter(({ kind }) => WORKLOADS.includes(kind))) {
      const current = await api.read(await this.referenceOf(api, object));
      const spec = (current['spec'] ?? {}) as { replicas?: number };
      const status = (current['status'] ?? {}) as {
        replicas?: number;
        readyReplicas?: number;
        updatedReplicas?: number;
        numberReady?: number;
        desiredNumberScheduled?: number;
      };
      // Pods of the previous revision do not count.
      if ((status.replicas ?? 0) > (status.updatedReplicas ?? 0)) return false;
      const [wanted, ready] =
        object.kind === 'DaemonSet'
          ? [status.desiredNumberScheduled ?? 1, status.numberReady ?? 0]
          : [spec.replicas ?? 1, Math.min(status.readyReplicas ?? 0, status.updatedReplicas ?? 0)];
      if (ready < wanted) return false;
    }
    return true;
  }

  private async referenceOf(api: ResourceApi, object: KubernetesObject): Promise<ResourceReference> {
    const reference = await referenceOf(api, object);
    if (reference) return reference;
    throw new DomainError(
      'values_refused',
      `The cluster does not serve ${object.kind} of ${object.apiVersion}.`,
    );
  }

  private async removeObject(api: ResourceApi, object: KubernetesObject): Promise<void> {
    // Like helm, keeps CRDs: deleting one deletes all of its objects.
    if (object.kind === 'CustomResourceDefinition') return;
    await removeIfExists(api, await this.referenceOf(api, object));
  }

  private store(cluster: ClusterTarget): ReleaseStore {
    return new ReleaseStore(this.api(cluster));
  }

  private api({ name }: ClusterTarget): ResourceApi {
    return new ConnectionResources(name, this.world.apiServer(name));
  }
}

const POD = { group: '', version: 'v1', plural: 'pods' };
const WORKLOADS = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** @throws DomainError `values_refused` */
async function assertValuesFit({ chart, values }: ChartRequest): Promise<void> {
  await readValues(values);
  await checkSchema(chart, values);
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

function missing({ release, namespace }: ReleaseName): DomainError {
  return new DomainError('addon_not_found', `Release ${release} does not exist in ${namespace}.`);
}
