import { DomainError } from '../../core/errors/index.js';
import type { ProcessTracking } from '../process/index.js';
import type { ClusterTarget } from '../kubernetes/index.js';

export interface PackageManagerStatus {
  name: string;
  version: string | null;
  /** Why it cannot be used, and the command or page that fixes it. */
  problem: { reason: string; fix: string } | null;
  /** Why it should be upgraded, such as known vulnerabilities. */
  warning: string | null;
}

/** Must not be logged, passed on a command line, or part of an error. */
export interface RepositoryCredentials {
  username: string;
  password: string;
}

/** A chart repository with an index over HTTP. */
export interface ChartRepository {
  url: string;
  credentials?: RepositoryCredentials;
}

/** Where a chart comes from. The version defaults to the newest that is not a pre-release. */
export type ChartSource =
  | { type: 'repository'; repository: ChartRepository; chart: string; version?: string }
  /** `oci://registry/folder/chart`, without a tag. */
  | { type: 'registry'; reference: string; version?: string; credentials?: RepositoryCredentials }
  /** A packaged chart (.tgz) on this host. */
  | { type: 'archive'; file: string };

export interface OfferedChart {
  name: string;
  /** Newest first. */
  versions: { version: string; appVersion: string | null }[];
  description: string;
}

export interface Chart {
  name: string;
  version: string;
  appVersion: string | null;
  description: string;
  /** The supported Kubernetes versions, such as `>=1.25.0-0`; null for any. */
  kubeVersion: string | null;
  /** Its `values.yaml`, with comments. */
  defaultValues: string;
  /** Its `values.schema.json`, a JSON object. */
  schema: string | null;
  /** File names below `crds/`. helm installs these CRDs once, and neither upgrades nor removes them. */
  crds: string[];
  dependencies: string[];
  /** Where to install exactly this chart from. */
  source: ChartSource;
}

export interface ReleaseName {
  namespace: string;
  release: string;
}

/** As reported by helm. */
export const RELEASE_STATUSES = [
  'deployed',
  'failed',
  'pending-install',
  'pending-upgrade',
  'pending-rollback',
  'uninstalling',
  'uninstalled',
  'superseded',
  'unknown',
] as const;
export type ReleaseStatus = (typeof RELEASE_STATUSES)[number];

export interface ReleaseRevision {
  revision: number;
  status: ReleaseStatus;
  chart: string;
  version: string;
  appVersion: string | null;
  /** RFC 3339. */
  updatedAt: string;
  /** By helm, such as `Upgrade complete`. */
  description: string;
}

export type Release = ReleaseName & Omit<ReleaseRevision, 'description'>;

export interface ReleaseContents {
  /** User-supplied values as YAML, or empty. */
  values: string;
  /** User-supplied values merged into the chart defaults, as YAML. */
  computedValues: string;
  notes: string;
  /** Without hooks. May contain Secrets. */
  manifest: string;
}

export interface ChartRequest extends ReleaseName {
  chart: Chart;
  /** YAML that overrides the chart defaults. Passed in a private file. */
  values: string;
}

export interface RenderRequest extends ChartRequest {
  /** Whether the release exists. Templates can distinguish this. */
  upgrade: boolean;
  /** Version of the cluster, such as `v1.34.4`, for rendering without access to it. */
  kubernetes: string | null;
}

export interface PreviewRequest extends RenderRequest {
  /** APIs of the cluster, such as `apps/v1` and `apps/v1/Deployment`. Templates can check for them. */
  apiVersions: readonly string[];
}

export interface OperationOptions {
  tracking: ProcessTracking;
  timeoutMs: number;
  /** Only for `uninstall`: runs no hooks of the chart. */
  noHooks?: boolean;
}

/**
 * Installs packages in clusters.
 *
 * All methods except `status` throw DomainError `package_manager_unavailable` if the program is missing, and
 * `cluster_unreachable` if the API server does not respond.
 */
export abstract class PackageManager {
  /** The runtimes that it supports (`RuntimeCapabilities.provisioner`). */
  abstract readonly kind: 'kind' | 'demo';

  /** Does not throw: problems are part of the status. */
  abstract status(): Promise<PackageManagerStatus>;

  /** The charts of a repository. @throws DomainError `repository_unreachable` */
  abstract offered(repository: ChartRepository): Promise<OfferedChart[]>;

  /**
   * Downloads a chart.
   * @throws DomainError `chart_not_found`, `repository_unreachable`, or `chart_refused` for an invalid chart.
   */
  abstract chart(source: ChartSource, signal?: AbortSignal): Promise<Chart>;

  /** All releases of the cluster in any state, including foreign ones. */
  abstract list(cluster: ClusterTarget): Promise<Release[]>;

  /** The revisions, newest first. @throws DomainError `addon_not_found` */
  abstract history(cluster: ClusterTarget, name: ReleaseName): Promise<ReleaseRevision[]>;

  /** @param revision defaults to the latest. @throws DomainError `addon_not_found` */
  abstract contents(cluster: ClusterTarget, name: ReleaseName, revision?: number): Promise<ReleaseContents>;

  /**
   * Renders the manifest of an installation or upgrade, without hooks.
   * @throws DomainError `values_refused` by the schema or the templates, or `chart_refused` if the chart does not
   *   support the Kubernetes version.
   */
  abstract render(cluster: ClusterTarget, request: RenderRequest): Promise<string>;

  /**
   * Renders a manifest to show to users. It has no access to the cluster, because a chart could look up any Secret and
   * reveal it.
   * @throws DomainError as `render`, except for checks that need the cluster.
   */
  abstract preview(request: PreviewRequest): Promise<string>;

  /**
   * Installs a release, creates its namespace if necessary, and waits until it is ready.
   * @throws DomainError `release_exists`
   * @throws CommandError if it fails or is aborted. The release must be repaired then.
   */
  abstract install(cluster: ClusterTarget, request: ChartRequest, options: OperationOptions): Promise<void>;

  /** @throws DomainError `addon_not_found`, `release_busy`; CommandError as `install`. */
  abstract upgrade(cluster: ClusterTarget, request: ChartRequest, options: OperationOptions): Promise<void>;

  /**
   * Rolls back to a revision, which creates a new one. The release may be pending.
   * @throws DomainError `addon_not_found`; CommandError as `install`.
   */
  abstract rollback(
    cluster: ClusterTarget,
    name: ReleaseName,
    revision: number,
    options: OperationOptions,
  ): Promise<void>;

  /** Uninstalls a release, if it exists, and waits until its resources have been deleted. */
  abstract uninstall(cluster: ClusterTarget, name: ReleaseName, options: OperationOptions): Promise<void>;
}

export class PackageManagerSelector {
  constructor(private readonly managers: readonly PackageManager[]) {}

  /** @throws DomainError `package_manager_unavailable` */
  for(kind: 'kind' | 'demo'): PackageManager {
    const found = this.managers.find((manager) => manager.kind === kind);
    if (!found) {
      throw new DomainError('package_manager_unavailable', `Clusters of ${kind} do not support addons.`);
    }
    return found;
  }
}
