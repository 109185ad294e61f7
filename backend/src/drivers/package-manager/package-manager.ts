import { DomainError } from '../../core/errors/index.js';
import type { ProcessTracking } from '../process/index.js';
import type { ClusterTarget } from '../kubernetes/index.js';

/** The program that installs addons, as it was found. */
export interface PackageManagerStatus {
  name: string;
  version: string | null;
  /** Why it cannot be used, and the command or the page that changes that. */
  problem: { reason: string; fix: string } | null;
  /** Why one that can be used had better be another: a version with known holes. */
  warning: string | null;
}

/** Never logged, never on a command line, never part of an error. */
export interface RepositoryCredentials {
  username: string;
  password: string;
}

/** A place with charts: an index over HTTP. */
export interface ChartRepository {
  url: string;
  credentials?: RepositoryCredentials;
}

/** Where a chart comes from. Without a version it is the newest that is no pre-release. */
export type ChartSource =
  | { type: 'repository'; repository: ChartRepository; chart: string; version?: string }
  /** `oci://registry/folder/chart`, without a tag. */
  | { type: 'registry'; reference: string; version?: string; credentials?: RepositoryCredentials }
  /** A packed chart of this machine. */
  | { type: 'archive'; file: string };

/** One that a repository offers. */
export interface OfferedChart {
  name: string;
  /** The newest first. */
  versions: { version: string; appVersion: string | null }[];
  description: string;
}

/** A chart that is at hand, with all that is known of it before it is installed. */
export interface Chart {
  name: string;
  version: string;
  appVersion: string | null;
  description: string;
  /** A range of semantic versions, as `>=1.25.0-0`; null where any Kubernetes will do. */
  kubeVersion: string | null;
  /** Its own `values.yaml`, comments kept. */
  defaultValues: string;
  /** `values.schema.json` as text: JSON of an object. */
  schema: string | null;
  /** Names of the definitions under `crds/`: installed once, neither upgraded nor removed with a release. */
  definitions: string[];
  /** Names of charts that it brings along. */
  dependencies: string[];
  /** From here the very same chart is installed, whatever the repository says by then. */
  source: ChartSource;
}

/** A release is called so within its namespace. */
export interface ReleaseName {
  namespace: string;
  release: string;
}

/** Helm's own words. */
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

/** One revision of a release. */
export interface ReleaseRevision {
  revision: number;
  status: ReleaseStatus;
  /** Name of the chart, without its version. */
  chart: string;
  version: string;
  appVersion: string | null;
  /** RFC 3339. */
  updatedAt: string;
  /** Helm's own sentence: `Upgrade complete`. */
  description: string;
}

/** A release by its last revision. */
export type Release = ReleaseName & Omit<ReleaseRevision, 'description'>;

/** Everything that is kept of one revision. */
export interface ReleaseContents {
  /** What was given, as YAML; empty where nothing was. */
  values: string;
  /** What was given over what the chart has, as YAML. */
  computedValues: string;
  notes: string;
  /** Of everything that was installed, without hooks. May hold Secrets. */
  manifest: string;
}

/** What is to be installed, or to take the place of what is. */
export interface ChartRequest extends ReleaseName {
  chart: Chart;
  /** YAML over the chart's own values. Given by a private file. */
  values: string;
}

/** What a dry run is told beside. */
export interface RenderRequest extends ChartRequest {
  /** Whether the release is there already: charts may tell by it. */
  upgrade: boolean;
  /** The cluster's version, as `v1.34.4`, for where it cannot be asked on the way. */
  kubernetes: string | null;
}

/** What a preview is told beside, as it does not ask the cluster. */
export interface PreviewRequest extends RenderRequest {
  /** What the cluster serves, as `apps/v1` and `apps/v1/Deployment`: charts may tell by it. */
  apiVersions: readonly string[];
}

/** How an operation is followed and ended. Without a signal of its own it runs to its end. */
export interface OperationOptions {
  tracking: ProcessTracking;
  /** How long what was installed may take until it is ready. */
  timeoutMs: number;
}

/**
 * Installs packages into clusters.
 *
 * Each method but `status` throws a DomainError `package_manager_unavailable` where its program is missing,
 * and `cluster_unreachable` where the cluster does not answer.
 */
export abstract class PackageManager {
  /** Which runtimes' clusters it serves (`RuntimeCapabilities.provisioner`). */
  abstract readonly kind: 'kind' | 'demo';

  /** How it stands on this machine. Never fails: what is missing is in the answer. */
  abstract status(): Promise<PackageManagerStatus>;

  /**
   * What a repository offers, by name.
   * @throws DomainError `repository_unreachable`
   */
  abstract offered(repository: ChartRepository, signal?: AbortSignal): Promise<OfferedChart[]>;

  /**
   * Fetches a chart and reads it.
   * @throws DomainError `chart_not_found`, `repository_unreachable`, or `chart_refused` for what is no chart.
   */
  abstract chart(source: ChartSource, signal?: AbortSignal): Promise<Chart>;

  /** Every release of the cluster, by its last revision, in whatever state and whoever made it. */
  abstract list(cluster: ClusterTarget): Promise<Release[]>;

  /**
   * All revisions that are kept, the newest first.
   * @throws DomainError `addon_not_found`
   */
  abstract history(cluster: ClusterTarget, name: ReleaseName): Promise<ReleaseRevision[]>;

  /**
   * What a revision holds; the last one without a number.
   * @throws DomainError `addon_not_found`
   */
  abstract contents(cluster: ClusterTarget, name: ReleaseName, revision?: number): Promise<ReleaseContents>;

  /**
   * The manifest as an install or upgrade would make it, without hooks. Changes nothing.
   * @throws DomainError `values_refused` by the chart's schema or its templates, `chart_refused` where it does
   *   not fit the cluster's Kubernetes.
   */
  abstract render(cluster: ClusterTarget, request: RenderRequest): Promise<string>;

  /**
   * The same for a person to look at, made without the cluster: a chart could look up any Secret there, and put it where
   * it is shown. What a chart looks up is not there.
   * @throws DomainError as `render`, as far as it can be known without the cluster.
   */
  abstract preview(request: PreviewRequest): Promise<string>;

  /**
   * Installs a first release and waits until it is ready; the namespace is made where it is missing.
   * @throws DomainError `release_exists`
   * @throws CommandError where it fails, or where the tracking's signal ended it: what it left is to be repaired.
   */
  abstract install(cluster: ClusterTarget, request: ChartRequest, options: OperationOptions): Promise<void>;

  /** @throws DomainError `addon_not_found`, `release_busy`; CommandError as `install`. */
  abstract upgrade(cluster: ClusterTarget, request: ChartRequest, options: OperationOptions): Promise<void>;

  /**
   * Makes a revision the last one again, as a new revision. Also of a release that is pending.
   * @throws DomainError `addon_not_found`; CommandError as `install`.
   */
  abstract rollback(
    cluster: ClusterTarget,
    name: ReleaseName,
    revision: number,
    options: OperationOptions,
  ): Promise<void>;

  /** Removes a release and waits until its objects are gone. One that is not there is no error. */
  abstract uninstall(cluster: ClusterTarget, name: ReleaseName, options: OperationOptions): Promise<void>;
}

/** Chooses the package manager by what a runtime says of itself. */
export class PackageManagerSelector {
  constructor(private readonly managers: readonly PackageManager[]) {}

  /** @throws DomainError `package_manager_unavailable` */
  for(kind: 'kind' | 'demo'): PackageManager {
    const found = this.managers.find((manager) => manager.kind === kind);
    if (!found) {
      throw new DomainError(
        'package_manager_unavailable',
        `Nothing installs addons into clusters of ${kind}.`,
      );
    }
    return found;
  }
}
