import { DomainError } from '../../../backend/src/core/errors/domain-error.js';
import {
  PackageManager,
  type Chart,
  type ChartRequest,
  type ChartSource,
  type OfferedChart,
  type PackageManagerStatus,
  type Release,
  type ReleaseContents,
  type ReleaseName,
  type ReleaseRevision,
  type ReleaseStatus,
} from '../../../backend/src/drivers/package-manager/package-manager.js';
import type { ClusterTarget } from '../../../backend/src/drivers/kubernetes/index.js';

export const SHOP: ReleaseName = { release: 'shop', namespace: 'market' };

export function shopChart(version = '1.0.0', more: Partial<Chart> = {}): Chart {
  return {
    name: 'shop',
    version,
    appVersion: null,
    description: 'A shop',
    kubeVersion: null,
    defaultValues: '',
    schema: null,
    crds: [],
    dependencies: [],
    source: { type: 'registry', reference: 'oci://charts.test/shop', version },
    ...more,
  };
}

export function shopRevision(
  revision: number,
  status: ReleaseStatus,
  more: Partial<ReleaseRevision> = {},
): ReleaseRevision {
  return {
    revision,
    status,
    chart: 'shop',
    version: '1.0.0',
    appVersion: null,
    updatedAt: '2026-11-21T09:00:00.000Z',
    description: '',
    ...more,
  };
}

/** Keeps the revisions of the release `shop`, newest first. Calls that a test does not expect fail. */
export class FakePackageManager extends PackageManager {
  override readonly kind = 'kind';
  /** Operations in order, such as `rollback 1`. */
  readonly calls: string[] = [];
  /** The next operation leaves a revision with this status, and fails with this error unless it is null. */
  failure: { error: Error | null; leaves: ReleaseStatus | null } | undefined;
  /** Called by the next operation before it ends. */
  beforeEnd: (signal: AbortSignal | undefined) => Promise<void> = () => Promise.resolve();
  /** Whether an uninstalled release is still listed. */
  keepsUninstalled = false;
  manifest = '';

  constructor(public revisions: ReleaseRevision[] = []) {
    super();
  }

  override status(): Promise<PackageManagerStatus> {
    return Promise.resolve({ name: 'helm', version: '4.3.1', problem: null, warning: null });
  }

  override offered(): Promise<OfferedChart[]> {
    throw new Error('this test expects no list of charts');
  }

  override chart(source: ChartSource): Promise<Chart> {
    return Promise.resolve(shopChart(source.type === 'archive' ? undefined : source.version));
  }

  override list(): Promise<Release[]> {
    return Promise.resolve(this.revisions.slice(0, 1).map((last) => ({ ...SHOP, ...last })));
  }

  override history(): Promise<ReleaseRevision[]> {
    if (this.revisions.length > 0) return Promise.resolve([...this.revisions]);
    return Promise.reject(new DomainError('addon_not_found', 'Release shop does not exist.'));
  }

  override contents(): Promise<ReleaseContents> {
    return Promise.resolve({ values: '', computedValues: '', notes: '', manifest: this.manifest });
  }

  override render(): Promise<string> {
    return Promise.resolve(this.manifest);
  }

  override preview(): Promise<string> {
    return Promise.resolve(this.manifest);
  }

  override install(
    _: ClusterTarget,
    { chart }: ChartRequest,
    ...[options]: OptionsOf<'install'>
  ): Promise<void> {
    return this.operate(`install ${chart.version}`, chart.version, options.tracking.signal);
  }

  override upgrade(
    _: ClusterTarget,
    { chart }: ChartRequest,
    ...[options]: OptionsOf<'upgrade'>
  ): Promise<void> {
    return this.operate(`upgrade ${chart.version}`, chart.version, options.tracking.signal);
  }

  override rollback(
    _: ClusterTarget,
    __: ReleaseName,
    revision: number,
    ...[options]: OptionsOf<'upgrade'>
  ): Promise<void> {
    const version = this.revisions.find((one) => one.revision === revision)?.version ?? '';
    return this.operate(`rollback ${revision}`, version, options.tracking.signal);
  }

  override uninstall(...[, , options]: Parameters<PackageManager['uninstall']>): Promise<void> {
    this.calls.push(options.noHooks === true ? 'uninstall --no-hooks' : 'uninstall');
    if (!this.keepsUninstalled) this.revisions = [];
    return Promise.resolve();
  }

  private async operate(call: string, version: string, signal: AbortSignal | undefined): Promise<void> {
    this.calls.push(call);
    const { failure, beforeEnd } = this;
    this.failure = undefined;
    this.beforeEnd = () => Promise.resolve();
    await beforeEnd(signal);
    const status = failure ? failure.leaves : 'deployed';
    if (status !== null) {
      const superseded = this.revisions.map((one) =>
        one.status === 'deployed' && status === 'deployed' ? { ...one, status: 'superseded' as const } : one,
      );
      const revision = (this.revisions[0]?.revision ?? 0) + 1;
      this.revisions = [shopRevision(revision, status, { version }), ...superseded];
    }
    if (failure?.error) throw failure.error;
  }
}

type OptionsOf<Method extends 'install' | 'upgrade'> = [Parameters<PackageManager[Method]>[2]];
