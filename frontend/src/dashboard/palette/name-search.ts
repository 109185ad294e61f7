import { computed, effect, inject, Injectable, signal } from '@angular/core';
import { ApiProblem } from '../../shared/api/api-problem';
import type { SearchAnswerDto, SearchResultDto } from '../../shared/api/api-types';
import { objectPage, writeObject } from '../resources/resource-address';
import { ResourcesApi } from '../resources/resources-api';
import { PaletteEntries } from './palette-entries';
import type { PaletteEntry } from './palette-entry';
import { unsearchedNotes } from './unsearched-notes';

/** A pause in typing after which the clusters are asked. */
const ASK_AFTER_MS = 200;
/** Of a single letter nearly everything would be found. */
const FEWEST_LETTERS = 2;
const MOST = 30;

/** Objects in all clusters whose names hold what was typed. Provide it where the palette is. */
@Injectable()
export class NameSearch {
  private readonly api = inject(ResourcesApi);
  private readonly offered = inject(PaletteEntries);
  readonly text = signal('');
  private readonly answer = signal<(SearchAnswerDto & { text: string }) | null>(null);
  private readonly failure = signal<{ text: string; message: string } | null>(null);
  private readonly asked = computed(() => {
    const text = this.text().trim();
    return text.length < FEWEST_LETTERS ? null : text;
  });
  /** The clusters are being asked. */
  readonly busy = computed(
    () =>
      this.asked() !== null && this.answer()?.text !== this.asked() && this.failure()?.text !== this.asked(),
  );
  /** Of the last answer: what was found before stays until the next comes, so that nothing jumps. */
  readonly entries = computed<readonly PaletteEntry[]>(() =>
    this.asked() === null ? [] : (this.answer()?.results ?? []).map((found) => this.entryOf(found)),
  );
  /** Why not everything that there is was searched. */
  readonly notes = computed<readonly string[]>(() => {
    const asked = this.asked();
    if (asked === null) return [];
    const failure = this.failure();
    if (failure?.text === asked) return [`Names in the clusters cannot be searched: ${failure.message}`];
    const answer = this.answer();
    return answer ? unsearchedNotes(answer) : [];
  });

  constructor() {
    effect((onCleanup) => {
      const text = this.asked();
      if (text === null) return;
      let wanted = true;
      const timer = setTimeout(() => void this.ask(text, () => wanted), ASK_AFTER_MS);
      onCleanup(() => {
        wanted = false;
        clearTimeout(timer);
      });
    });
  }

  private async ask(text: string, isWanted: () => boolean): Promise<void> {
    try {
      const answer = await this.api.find(text, MOST);
      if (isWanted()) this.answer.set({ ...answer, text });
    } catch (thrown) {
      if (isWanted()) this.failure.set({ text, message: ApiProblem.of(thrown).message });
    }
  }

  private entryOf(found: SearchResultDto): PaletteEntry {
    const { cluster, runtime, group, plural, kind, namespace, name } = found;
    return {
      id: `name ${runtime}/${cluster} ${plural}.${group} ${writeObject({ namespace, name })}`,
      group: 'names',
      icon: 'box',
      text: name,
      detail: [kind, namespace, cluster].filter((part) => part !== null).join(', '),
      found: this.answer()?.text === this.asked(),
      run: () => this.offered.show(objectPage({ name: cluster, runtime }, found)),
    };
  }
}
