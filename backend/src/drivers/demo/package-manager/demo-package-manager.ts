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
import { yaml } from '../demo-yaml-process.js';

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
  override async offered(): Promise<OfferedChart[]> {
    return DEMO_CHARTS.map(({ name, version, appVersion, description }) => ({
      name,
      description,
      versions: [{ version, appVersion }],
    }));
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
    const latest = new Map<string, Release>();
    for (const { release, revision, status } of await this.store(cluster).all()) {
      const key = `${release.namespace}/${release.release}`;
      if ((latest.get(key)?.revision ?? 0) < revision) latest.set(key, { ...release, revision, status });
    }
    return [...latest.values()];
  }

  override async history(cluster: ClusterTarget, name: ReleaseName): Promise<ReleaseRevision[]> {
    const records = await this.store(cluster).revisions(name);
    if (records.length === 0) throw missing(name);
    return records.map(({ release, revision, status, description }) => {
      const { chart, version, appVersion, updatedAt } = release;
      return { revision, status, description, chart, version, appVersion, updatedAt };
    });
  }

  override async contents(
    cluster: ClusterTarget,
    name: ReleaseName,
    revision?: number,
  ): Promise<ReleaseContents> {
    const records = await this.store(cluster).revisions(name);
    const found = records.find((record) => revision === undefined || record.revision === revision);
    if (!found) throw missing(name);
    return found.contents;
  }

  override render(_cluster: ClusterTarget, request: RenderRequest): Promise<string> {
    return this.preview(request);
  }

  override async preview(request: RenderRequest): Promise<string> {
    return (await renderChecked(request)).contents.manifest;
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
    await this.perform(cluster, 'install', await renderChecked(request), [], options);
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
    await this.perform(cluster, 'upgrade', await renderChecked(request), before, options);
  }

  override async rollback(
    cluster: ClusterTarget,
    name: ReleaseName,
    revision: number,
    options: OperationOptions,
  ): Promise<void> {
    const before = await this.store(cluster).revisions(name);
    const target = before.find((record) => record.revision === revision);
    if (!target) throw missing(name);
    const release = { ...target.release, updatedAt: new Date().toISOString() };
    const wanted = { ...target, release };
    await this.perform(cluster, 'rollback', wanted, before, options, `Rollback to ${revision}`);
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
    const objects = await yaml.manifestObjects(last.contents.manifest);
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
    operation: 'install' | 'upgrade' | 'rollback',
    { release: wanted, contents }: Pick<ReleaseRecord, 'release' | 'contents'>,
    before: readonly ReleaseRecord[],
    options: OperationOptions,
    description = operation === 'install' ? 'Install complete' : 'Upgrade complete',
  ): Promise<void> {
    const store = this.store(cluster);
    const record = {
      release: wanted,
      contents,
      revision: (before[0]?.revision ?? 0) + 1,
      status: `pending-${operation}` as const,
      description: `${operation} in progress`,
    };
    const api = this.api(cluster);
    const { namespace, release } = record.release;
    const objects = await yaml.manifestObjects(record.contents.manifest);
    await api.apply(
      { group: '', version: 'v1', plural: 'namespaces', namespace: null, name: namespace },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    );
    await store.save(record);
    const end = async (status: ReleaseStatus, text: string): Promise<void> =>
      await store.save({ ...record, status, description: text });
    try {
      await this.abortable(operation, options, async () => {
        for (const object of objects) {
          await api.apply(await this.referenceOf(api, object), object, { force: true });
        }
        const kept = new Set(objects.map(nameOf));
        const earlier = await yaml.manifestObjects(before[0]?.contents.manifest ?? '');
        const dropped = earlier.filter((object) => !kept.has(nameOf(object)));
        for (const object of dropped) await this.removeObject(api, object);
        this.world.failIfConfigured(operation, release);
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
    await end('deployed', description);
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
    const deadline = Date.now() + timeoutMs;
    while (!(await isDone())) {
      if (Date.now() > deadline) {
        const failure = { failure: 'timed-out', durationMs: timeoutMs } as const;
        throw new CommandError({ program: 'helm', args: [operation], ...failure });
      }
      await this.world.pass(POLL_SECONDS, tracking.signal);
    }
    tracking.signal?.throwIfAborted();
  }

  private async areReady(api: ResourceApi, objects: readonly KubernetesObject[]): Promise<boolean> {
    for (const object of objects.filter(({ kind }) => WORKLOADS.includes(kind))) {
      const current = await api.read(await this.referenceOf(api, object));
      const { replicas: wanted = 1 } = (current['spec'] ?? {}) as { replicas?: number };
      const status = (current['status'] ?? {}) as Record<string, number | undefined>;
      const { replicas = 0, updatedReplicas = 0, readyReplicas = 0 } = status;
      const { desiredNumberScheduled = 1, numberReady = 0 } = status;
      const isReady =
        object.kind === 'DaemonSet'
          ? numberReady >= desiredNumberScheduled
          : // Pods of the previous revision do not count.
            replicas <= updatedReplicas && Math.min(readyReplicas, updatedReplicas) >= wanted;
      if (!isReady) return false;
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
async function renderChecked(request: ChartRequest): ReturnType<typeof yaml.renderRelease> {
  await readValues(request.values);
  await checkSchema(request.chart, request.values);
  return await yaml.renderRelease(request, new Date().toISOString());
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

function missing({ release, namespace }: ReleaseName): DomainError {
  return new DomainError('addon_not_found', `Release ${release} does not exist in ${namespace}.`);
}
