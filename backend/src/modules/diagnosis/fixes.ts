import { DomainError } from '../../core/errors/index.js';
import type { CauseCode } from './diagnosis.dto.js';
import { workloadOf, type Fix, type Situation } from './fix.js';
import { raiseMemoryLimit } from './fix-resources.js';

type Offer = (situation: Situation) => Fix[] | Promise<Fix[]>;

/** The changes that can remove each cause, the likeliest first. */
const OFFERS: Readonly<Partial<Record<CauseCode, readonly Offer[]>>> = {
  out_of_memory: [raiseMemoryLimit],
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
