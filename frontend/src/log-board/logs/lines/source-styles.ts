import { inject, Service } from '@angular/core';
import { LogSources } from '../tree/log-sources';
import { fullName, sourceName } from '../tree/source-names';
import type { SourceStyle } from '../../../shared/lines/line-style';

const HUES = 8;

/** Name and color of each source. A source keeps its color until the page is reloaded. */
@Service()
export class SourceStyles {
  private readonly sources = inject(LogSources);
  private readonly hues = new Map<number, number>();

  /** Colors are assigned in order of use, so that neighbors differ. */
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
