import { inject, Service, signal } from '@angular/core';
import { LogSources } from '../tree/log-sources';
import { fullName, sourceName } from '../tree/source-names';
import type { SourceStyle } from '../../../shared/lines/line-style';

const HUES = 8;

/** Name and color of each source. A source keeps its color until the page is reloaded or `distinguish` changes it. */
@Service()
export class SourceStyles {
  private readonly sources = inject(LogSources);
  private readonly hues = new Map<number, number>();
  private readonly changes = signal(0);

  /** Colors are assigned in order of use, so that neighbors differ. */
  of(id: number): SourceStyle {
    this.changes();
    let hue = this.hues.get(id);
    if (hue === undefined) {
      hue = (this.hues.size % HUES) + 1;
      this.hues.set(id, hue);
    }
    const source = this.sources.byId()?.get(id);
    if (!source) return { name: `source ${id}`, title: `source ${id}`, hue };
    return { cluster: source.cluster, name: sourceName(source), title: fullName(source), hue };
  }

  /** Gives each of these sources another color, if there are enough. */
  distinguish(ids: readonly number[]): void {
    const free = new Set(Array.from({ length: HUES }, (_, index) => index + 1));
    const others: number[] = [];
    for (const id of ids) if (!free.delete(this.of(id).hue)) others.push(id);
    for (const id of others) {
      const [hue] = free;
      if (hue === undefined) return;
      free.delete(hue);
      this.hues.set(id, hue);
      this.changes.update((count) => count + 1);
    }
  }
}
