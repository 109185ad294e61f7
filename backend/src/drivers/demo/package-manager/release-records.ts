import type { KubernetesObject } from '../../kubernetes/index.js';
import type { ReleaseContents, ReleaseName, ReleaseRevision } from '../../package-manager/index.js';

/** Everything that is kept of one revision of a release. */
export interface ReleaseRecord extends ReleaseName, ReleaseRevision, ReleaseContents {}

/** By which the Secrets of releases are found, as helm marks its own. */
export const RELEASE_LABEL = 'owner=helm';

/** Where helm keeps a revision: in a Secret of the release's namespace. */
export function recordSecret(record: ReleaseRecord): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: {
      name: secretName(record, record.revision),
      namespace: record.namespace,
      labels: {
        name: record.release,
        owner: 'helm',
        status: record.status,
        version: String(record.revision),
      },
    },
    data: { release: Buffer.from(JSON.stringify(record)).toString('base64') },
  };
}

export function recordOf(secret: KubernetesObject): ReleaseRecord {
  const { release = '' } = secret['data'] as { release?: string };
  return JSON.parse(Buffer.from(release, 'base64').toString('utf8')) as ReleaseRecord;
}

export function secretName({ release }: ReleaseName, revision: number): string {
  return `sh.helm.release.v1.${release}.v${revision}`;
}
