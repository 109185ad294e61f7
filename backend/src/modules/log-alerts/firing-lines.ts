import { Injectable } from '@nestjs/common';
import { readTime } from '../log-lines/index.js';
import { LogStoreAccess, SourceRegistry } from '../log-sources/index.js';
import type { AlertFiringDto } from './alert.dto.js';
import type { Firing } from './firing.store.js';

/** Knows which lines of firings are in history still, and under which key of their source. */
@Injectable()
export class FiringLines {
  constructor(
    private readonly access: LogStoreAccess,
    private readonly sources: SourceRegistry,
  ) {}

  /** @throws DomainError `storage_unavailable` where the history cannot be opened */
  async look(firings: readonly Firing[]): Promise<AlertFiringDto[]> {
    if (firings.some(({ sample }) => sample !== null)) await this.access.get();
    return firings.map((firing) => this.lookAt(firing));
  }

  private lookAt(firing: Firing): AlertFiringDto {
    const { sample } = firing;
    const source = sample ? this.sources.find(sample.source) : undefined;
    if (!sample || !source) return { ...firing, kept: false };
    const { key } = source.identity;
    // A new history gives ids out anew. Firings of before keys were kept have their id alone.
    const isSame = firing.source_key === null || firing.source_key === key;
    const kept = isSame && this.sources.keeps(sample.source, sample.seq, readTime(sample.time) ?? 0);
    return { ...firing, source_key: firing.source_key ?? key, kept };
  }
}
