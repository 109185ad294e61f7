import { DomainError } from '../errors/index.js';

/** Limits what is open at once, in total and per cluster. Each keeps a connection to an API server open. */
export class Slots {
  private readonly taken = new Set<{ cluster: string }>();

  /** @param what is limited, in the plural: `Pod logs` */
  constructor(
    private readonly what: string,
    private readonly limits: { total: number; perCluster: number },
  ) {}

  /**
   * @returns releases the slot; further calls have no effect
   * @throws DomainError `too_many_requests`
   */
  take(cluster: string): () => void {
    const { total, perCluster } = this.limits;
    const own = [...this.taken].filter((slot) => slot.cluster === cluster).length;
    if (this.taken.size >= total || own >= perCluster) {
      const open = this.taken.size >= total ? total : `${perCluster} of cluster ${cluster}`;
      throw new DomainError(
        'too_many_requests',
        `Too many ${this.what} are open (${open}). Wait until one ends, or close one.`,
      );
    }
    const slot = { cluster };
    this.taken.add(slot);
    return () => void this.taken.delete(slot);
  }
}
