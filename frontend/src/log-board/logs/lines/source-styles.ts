import { inject, Service } from '@angular/core';
import { LogSources } from '../tree/log-sources';
import { fullName, sourceName } from '../tree/source-names';
import type { SourceStyle } from '../../../shared/lines/line-style';

const HUES = 8;

/** Name and colour of each source; it keeps its colour as long as the page is open. */
@Service()
export class SourceStyles {
  private readonly sources = inject(LogSources);
  private readonly hues = new Map<number, number>();

  /** In the order in which they are asked for, so that neighbors differ. */
  of(id: number): SourceStyle {
    let hue = this.hues.get(id);
    if (hue === undefined) {
      hue = (this.hues.size % HUES) + 1;
      this.hues.set(id, hue);
    }
    const source = this.sources.byId()?.get(id);
    if (!source) return { name: `source ${id}`, title: `source ${id}`, hue };
    return { name: sourceName(source), title: fullName(source), hue };
  }
}
