import { computed, inject, Service, signal } from '@angular/core';
import { LogSources } from './log-sources';
import { fullName, sourceName } from '../../search-model/source-names';
import type { ClusterMark, SourceStyle } from '../../../shared/lines/line-style';

/** A power of two. */
const HUES = 8;

/** Name and color of each source. The color follows from the names, the same on each page, unless `distinguish` changes it. */
@Service()
export class SourceStyles {
  private readonly sources = inject(LogSources);
  /** Colors of known sources, by id. */
  private readonly hues = new Map<number, number>();
  private readonly changes = signal(0);
  private readonly clusters = computed(() => {
    const named = this.sources.all().map(({ cluster }) => cluster);
    return clusterMarks([...new Set(named.filter((name) => name !== null))].sort());
  });

  of(id: number): SourceStyle {
    this.changes();
    const source = this.sources.byId()?.get(id);
    if (!source) {
      return { name: `source ${id}`, title: `source ${id}`, hue: this.hues.get(id) ?? hueOf(`${id}`) };
    }
    const hue = this.hues.get(id) ?? hueOf(`${source.runtime} / ${fullName(source)}`);
    this.hues.set(id, hue);
    const cluster = source.cluster === null ? null : (this.clusters().get(source.cluster) ?? null);
    return { cluster, name: sourceName(source), title: fullName(source), hue };
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

/** Up to four letters of each cluster: a short name, the initials of its words, or its first letters. */
export function clusterMarks(names: readonly string[]): Map<string, ClusterMark> {
  const marks = new Map<string, ClusterMark>();
  const codes = new Set<string>();
  for (const [index, name] of names.entries()) {
    const words = name.split(/[^a-z0-9]+/);
    const initials = words.map((word) => word.charAt(0)).join('');
    const short = words.length > 1 ? initials.slice(0, 3) : name.slice(0, 2);
    const choices = [name.length <= 4 ? name : short, short, name.slice(0, 3), name.slice(0, 4)];
    const code = choices.find((choice) => !codes.has(choice)) ?? `${short}${index + 1}`;
    codes.add(code);
    marks.set(name, { code, hue: (index % HUES) + 1 });
  }
  return marks;
}

/** The FNV-1a hash of a name, as one of the hues. */
function hueOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 16)) & (HUES - 1)) + 1;
}
