import { parseOwnJson } from '../../../core/parsing/index.js';
import { hasCode } from '../../../core/errors/index.js';
import type { KubernetesObject, ResourceApi, ResourceReference } from '../../kubernetes/index.js';
import type { Release, ReleaseContents, ReleaseName, ReleaseStatus } from '../../package-manager/index.js';

export interface ReleaseRecord {
  release: Omit<Release, 'revision' | 'status'>;
  revision: number;
  status: ReleaseStatus;
  description: string;
  contents: ReleaseContents;
}

const RELEASE_LABEL = 'owner=helm';
const SECRETS = { group: '', version: 'v1', plural: 'secrets' };

/** The releases of a cluster. Like helm, the demo stores each revision in a Secret. */
export class ReleaseStore {
  constructor(private readonly api: ResourceApi) {}

  async all(): Promise<ReleaseRecord[]> {
    return (await this.api.list(SECRETS, { labelSelector: RELEASE_LABEL })).map(recordOf);
  }

  /** @returns the revisions of a release, latest first. */
  async revisions({ namespace, release }: ReleaseName): Promise<ReleaseRecord[]> {
    const labelSelector = `${RELEASE_LABEL},name=${release}`;
    const secrets = await this.api.list(SECRETS, { namespace, labelSelector });
    return secrets.map(recordOf).sort((one, other) => other.revision - one.revision);
  }

  async save(record: ReleaseRecord): Promise<void> {
    await this.api.apply(referenceOf(record), releaseSecret(record), { force: true });
  }

  async delete(record: ReleaseRecord): Promise<void> {
    await removeIfExists(this.api, referenceOf(record));
  }
}

export async function removeIfExists(api: ResourceApi, reference: ResourceReference): Promise<void> {
  try {
    await api.remove(reference);
  } catch (error) {
    if (!hasCode(error, 'resource_not_found')) throw error;
  }
}

export function releaseSecret(record: ReleaseRecord): KubernetesObject {
  const { status, revision } = record;
  const { release: name, namespace } = record.release;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: {
      name: referenceOf(record).name,
      namespace,
      labels: { name, owner: 'helm', status, version: String(revision) },
    },
    data: { release: Buffer.from(JSON.stringify(record)).toString('base64') },
  };
}

function recordOf(secret: KubernetesObject): ReleaseRecord {
  const { release = '' } = secret['data'] as { release?: string };
  return parseOwnJson<ReleaseRecord>(Buffer.from(release, 'base64').toString('utf8'));
}

function referenceOf({ release, revision }: ReleaseRecord): ResourceReference {
  const name = `sh.helm.release.v1.${release.release}.v${revision}`;
  return { ...SECRETS, namespace: release.namespace, name };
}
