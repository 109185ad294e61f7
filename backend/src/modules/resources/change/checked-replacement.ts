import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { yaml } from '../manifests/resource-yaml.js';
import { presentReference, type ChangeTarget } from './change-target.js';
import { warningsOf } from './change-warnings.js';
import type { ReplacedResourceDto } from './change.dto.js';

type Replaced = Pick<ReplacedResourceDto, keyof ReplacedResourceDto>;

/**
 * Replaces an object after a dry run by the cluster, whose diff it returns.
 * @throws DomainError `resource_conflict` if the object was changed concurrently, `resource_refused`
 */
export async function replaceChecked(
  { api, type, reference }: ChangeTarget,
  stored: KubernetesObject,
  draft: KubernetesObject,
  dryRun: boolean,
): Promise<Replaced> {
  const checked = await api.replace(reference, draft, { dryRun: true });
  const { before, after, changed } = await yaml.diffObjects(stored, checked.object);
  const written = changed && !dryRun ? await api.replace(reference, draft, { dryRun: false }) : undefined;
  return {
    ...presentReference(type, reference),
    outcome: changed ? 'configured' : 'unchanged',
    before: before ?? '',
    after,
    resource_version: (written?.object ?? stored).metadata.resourceVersion ?? '',
    warnings: [...warningsOf(reference), ...(written ?? checked).warnings],
    dry_run: dryRun,
  };
}
