import { Injectable } from '@nestjs/common';
import { Database } from '../../../core/storage/index.js';
import type { ReleaseName } from '../../../drivers/package-manager/index.js';
import type { ClusterKey } from '../../clusters/index.js';

/** Where the chart of a release came from: `catalogue`, `uploaded`, or the name of a repository. */
export interface AddonSource {
  source: string;
  /** Name of the catalog entry or of the chart. */
  chart: string;
}

@Injectable()
export class AddonSourceStore {
  constructor(private readonly database: Database) {}

  get(cluster: ClusterKey, release: ReleaseName): AddonSource | undefined {
    return this.database.get<AddonSource>(
      'SELECT source, chart FROM addon_sources WHERE runtime = ? AND cluster = ? AND namespace = ? AND release = ?',
      ...keyOf(cluster, release),
    );
  }

  put(cluster: ClusterKey, releaseName: ReleaseName, { source, chart }: AddonSource): void {
    const { name, runtime } = cluster;
    const { namespace, release } = releaseName;
    const row = { runtime, cluster: name, namespace, release, source, chart };
    this.database.insert('addon_sources', row, 'replace');
  }

  remove(cluster: ClusterKey, release: ReleaseName): void {
    this.database.run(
      'DELETE FROM addon_sources WHERE runtime = ? AND cluster = ? AND namespace = ? AND release = ?',
      ...keyOf(cluster, release),
    );
  }
}

function keyOf({ name, runtime }: ClusterKey, { namespace, release }: ReleaseName): string[] {
  return [runtime, name, namespace, release];
}
