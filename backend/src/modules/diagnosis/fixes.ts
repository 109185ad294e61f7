import { DomainError } from '../../core/errors/index.js';
import type { CauseCode } from './diagnosis.dto.js';
import { workloadOf, type Fix, type Situation } from './fix.js';
import { loadImage, setImage } from './fix-images.js';
import { createNamespace, createServiceAccount, deletePod, rollBack } from './fix-others.js';
import { createReferenced } from './fix-references.js';
import { createStorageClass, raiseQuota } from './fix-namespace.js';
import { lowerRequest, raiseMemoryLimit } from './fix-resources.js';
import { addToleration, removeNodeSelector } from './fix-scheduling.js';
import { setSelector, setTargetPort } from './fix-service.js';

type Offer = (situation: Situation) => Fix[] | Promise<Fix[]>;

const createConfigMap: Offer = (situation) => createReferenced('ConfigMap', situation);
const createSecret: Offer = (situation) => createReferenced('Secret', situation);

/** The changes that can remove each cause, the likeliest first. */
const OFFERS: Readonly<Partial<Record<CauseCode, readonly Offer[]>>> = {
  being_deleted: [deletePod],
  image_pull: [loadImage, setImage, rollBack],
  config_map_missing: [createConfigMap, rollBack],
  secret_missing: [createSecret, rollBack],
  out_of_memory: [raiseMemoryLimit, rollBack],
  probe: [rollBack],
  crash: [rollBack],
  insufficient_resources: [lowerRequest, rollBack, deletePod],
  scheduling_constraint: [removeNodeSelector, addToleration, rollBack],
  volume_claim_unbound: [createStorageClass],
  quota_exceeded: [raiseQuota, rollBack],
  pods_not_created: [createServiceAccount, rollBack],
  no_endpoints: [setSelector, setTargetPort],
  reported_failure: [createNamespace],
};

/** The fixes of a cause. What cannot be looked up is not offered. */
export async function findFixes(of: Omit<Situation, 'workload'>): Promise<Fix[]> {
  const offers = OFFERS[of.cause.code] ?? [];
  if (offers.length === 0) return [];
  const situation = { ...of, workload: await workloadOf(of.api, of.facts.object) };
  const found = await Promise.all(
    offers.map(async (offer) => {
      try {
        return await offer(situation);
      } catch (error) {
        if (error instanceof DomainError) return [];
        throw error;
      }
    }),
  );
  return found.flat();
}
