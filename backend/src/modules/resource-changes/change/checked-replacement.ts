import { hasCode } from '../../../core/errors/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { yaml } from '../../resources/index.js';
import { presentReference, type ChangeTarget } from './change-target.js';
import { warningsOf } from './change-warnings.js';
import type { ReplacedResourceDto } from './change.dto.js';

type Replaced = Pick<ReplacedResourceDto, keyof ReplacedResourceDto>;

const ATTEMPTS = 4;

/**
 * Replaces an object after a dry run by the cluster, whose diff it returns. Repeated if only its status has changed
 * meanwhile: controllers write that often during a rollout.
 * @param change the object to write, made of the stored one
 * @throws DomainError `resource_conflict` if the object was changed concurrently, `resource_refused`
 */
export async function replaceChecked(
  target: ChangeTarget,
  stored: KubernetesObject,
  change: (stored: KubernetesObject) => KubernetesObject,
  dryRun: boolean,
): Promise<Replaced> {
  let current = stored;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await replaceOnce(target, current, change(current), dryRun);
    } catch (error) {
      if (attempt === ATTEMPTS || !hasCode(error, 'resource_conflict')) throw error;
      current = await target.api.read(target.reference);
      // It counts changes of the spec.
      if (current.metadata['generation'] !== stored.metadata['generation']) throw error;
    }
  }
}

async function replaceOnce(
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
