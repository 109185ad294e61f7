import { inject, Service, signal } from '@angular/core';
import { LogSources } from './log-sources';
import { fullName, sourceName } from '../../search-model/source-names';
import type { SourceStyle } from '../../../shared/lines/line-style';

/** A power of two. */
const HUES = 8;

/** Name and color of each source. The color follows from the names, the same on each page, unless `distinguish` changes it. */
@Service()
export class SourceStyles {
  private readonly sources = inject(LogSources);
  /** Colors of known sources, by id. */
  private readonly hues = new Map<number, number>();
  private readonly changes = signal(0);

  of(id: number): SourceStyle {
    this.changes();
    const source = this.sources.byId()?.get(id);
    if (!source) {
      return { name: `source ${id}`, title: `source ${id}`, hue: this.hues.get(id) ?? hueOf(`${id}`) };
    }
    const hue = this.hues.get(id) ?? hueOf(`${source.runtime} / ${fullName(source)}`);
    this.hues.set(id, hue);
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

/** The FNV-1a hash of a name, as one of the hues. */
function hueOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 16)) & (HUES - 1)) + 1;
}
