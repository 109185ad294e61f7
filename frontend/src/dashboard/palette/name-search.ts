import { computed, effect, inject, Injectable, signal } from '@angular/core';
import { ApiProblem } from '../../shared/api/api-problem';
import type { SearchResponseDto, SearchResultDto } from '../../shared/api/api-types';
import { objectPage, writeObject } from '../resources/resource-address';
import { ResourcesApi } from '../resources/resources-api';
import { PaletteEntries } from './palette-entries';
import type { PaletteEntry } from './palette-entry';
import { unsearchedNotes } from './unsearched-notes';

const DEBOUNCE_MS = 200;
/** One letter would match nearly everything. */
const MIN_LETTERS = 2;
const MAX_RESULTS = 30;

/** Searches object names in all clusters. Provided by the palette. */
@Injectable()
export class NameSearch {
  private readonly api = inject(ResourcesApi);
  private readonly entriesOf = inject(PaletteEntries);
  readonly text = signal('');
  private readonly response = signal<(SearchResponseDto & { text: string }) | null>(null);
  private readonly failure = signal<{ text: string; message: string } | null>(null);
  private readonly query = computed(() => {
    const text = this.text().trim();
    return text.length < MIN_LETTERS ? null : text;
  });
  readonly busy = computed(
    () =>
      this.query() !== null &&
      this.response()?.text !== this.query() &&
      this.failure()?.text !== this.query(),
  );
  /** Results of the last response. They stay until the next one, so that the list does not jump. */
  readonly entries = computed<readonly PaletteEntry[]>(() =>
    this.query() === null ? [] : (this.response()?.results ?? []).map((found) => this.entryOf(found)),
  );
  /** What the search did not cover, and why. */
  readonly notes = computed<readonly string[]>(() => {
    const query = this.query();
    if (query === null) return [];
    const failure = this.failure();
    if (failure?.text === query) {
      return [$localize`Could not search the clusters. ${failure.message}:reason:`];
    }
    const response = this.response();
    return response ? unsearchedNotes(response) : [];
  });

  constructor() {
    effect((onCleanup) => {
      const text = this.query();
      if (text === null) return;
      let current = true;
      const timer = setTimeout(() => void this.request(text, () => current), DEBOUNCE_MS);
      onCleanup(() => {
        current = false;
        clearTimeout(timer);
      });
    });
  }

  private async request(text: string, isCurrent: () => boolean): Promise<void> {
    try {
      const response = await this.api.find(text, MAX_RESULTS);
      if (isCurrent()) this.response.set({ ...response, text });
    } catch (thrown) {
      if (isCurrent()) this.failure.set({ text, message: ApiProblem.of(thrown).message });
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
      found: this.response()?.text === this.query(),
      run: () => this.entriesOf.show(objectPage({ name: cluster, runtime }, found)),
    };
  }
}
