import { DomainError } from '../errors/index.js';

/** Limits what is open at once, in total and per cluster. Each keeps a connection to an API server open. */
export class Slots {
  private readonly taken = new Map<string, number>();
  private total = 0;

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
    const own = this.taken.get(cluster) ?? 0;
    const { total, perCluster } = this.limits;
    if (this.total >= total || own >= perCluster) {
      const open = this.total >= total ? total : `${perCluster} of cluster ${cluster}`;
      throw new DomainError(
        'too_many_requests',
        `Too many ${this.what} are open (${open}). Wait until one ends, or close one.`,
      );
    }
    this.total += 1;
    this.taken.set(cluster, own + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.total -= 1;
      const left = (this.taken.get(cluster) ?? 1) - 1;
      if (left > 0) this.taken.set(cluster, left);
      else this.taken.delete(cluster);
    };
  }
}
