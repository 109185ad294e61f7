import type { ContainerState, ContainerSummary } from './engine-responses.js';

/** Maximum age of a cached state, in case an event was missed. */
const TRUSTED_FOR_MS = 15_000;

interface Known {
  state: ContainerState | undefined;
  summaryState: string;
  at: number;
}

/** Times and exit codes, which lists of containers lack. Inspects each container once per state. */
export class ContainerStates {
  private readonly known = new Map<string, Known>();

  async of(
    summaries: readonly ContainerSummary[],
    inspect: (id: string) => Promise<ContainerState | undefined>,
  ): Promise<Map<string, ContainerState | undefined>> {
    const ids = new Set(summaries.map((summary) => summary.Id));
    for (const id of this.known.keys()) if (!ids.has(id)) this.known.delete(id);
    const now = performance.now();
    await Promise.all(
      summaries.map(async ({ Id, State = '' }) => {
        const known = this.known.get(Id);
        if (known && known.summaryState === State && now - known.at < TRUSTED_FOR_MS) return;
        this.known.set(Id, { state: await inspect(Id), summaryState: State, at: now });
      }),
    );
    return new Map([...this.known].map(([id, { state }]) => [id, state]));
  }

  forget(id: string): void {
    this.known.delete(id);
  }
}
