import { DomainError } from '../../../core/errors/index.js';
import type { ResourceApi } from '../../kubernetes/index.js';
import type { ReleaseName } from '../../package-manager/index.js';
import { recordOf, recordSecret, RELEASE_LABEL, secretName, type ReleaseRecord } from './release-records.js';

const SECRETS = { group: '', version: 'v1', plural: 'secrets' };

/** The releases of a cluster, kept in it. */
export class ReleaseCache {
  constructor(private readonly api: ResourceApi) {}

  async all(): Promise<ReleaseRecord[]> {
    return (await this.api.list(SECRETS, { labelSelector: RELEASE_LABEL })).map(recordOf);
  }

  /** All revisions of a release, the newest first. */
  async of({ namespace, release }: ReleaseName): Promise<ReleaseRecord[]> {
    const labelSelector = `${RELEASE_LABEL},name=${release}`;
    const secrets = await this.api.list(SECRETS, { namespace, labelSelector });
    return secrets.map(recordOf).sort((one, other) => other.revision - one.revision);
  }

  async keep(record: ReleaseRecord): Promise<void> {
    await this.api.apply(this.referenceOf(record), recordSecret(record), { force: true });
  }

  async drop(record: ReleaseRecord): Promise<void> {
    try {
      await this.api.remove(this.referenceOf(record));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'resource_not_found') throw error;
    }
  }

  private referenceOf(record: ReleaseRecord): typeof SECRETS & { namespace: string; name: string } {
    return { ...SECRETS, namespace: record.namespace, name: secretName(record, record.revision) };
  }
}
