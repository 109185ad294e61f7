import { computed, inject, Injectable, signal } from '@angular/core';
import type { SearchResultDto } from '../../shared/api/api-types';
import { CommonEntries } from '../../shared/palette/common-entries';
import { ApiResource, typingPause } from '../../shared/loading/api-resource';
import { objectPage, writeObject } from '../resources/resource-address';
import { ResourcesApi } from '../resources/resources-api';
import type { PaletteEntry } from '../../shared/palette/palette-entry';
import { unsearchedNotes } from './unsearched-notes';

/** One letter would match nearly everything. */
const MIN_LETTERS = 2;
const MAX_RESULTS = 30;

/** Searches object names in all clusters. Provided by the palette. */
@Injectable()
export class NameSearch {
  private readonly api = inject(ResourcesApi);
  private readonly common = inject(CommonEntries);
  readonly text = signal('');
  private readonly query = computed(() => {
    const text = this.text().trim();
    return text.length < MIN_LETTERS ? null : text;
  });
  private readonly search = new ApiResource(
    async (text: string, abort) => {
      await typingPause(abort);
      return { ...(await this.api.find(text, MAX_RESULTS)), text };
    },
    () => this.query() ?? undefined,
  );
  private readonly response = this.search.value;
  readonly busy = this.search.isLoading;
  /** Results of the last response. They stay until the next one, so that the list does not jump. */
  readonly entries = computed<readonly PaletteEntry[]>(() =>
    this.query() === null ? [] : (this.response()?.results ?? []).map((found) => this.entryOf(found)),
  );
  /** What the search did not cover, and why. */
  readonly notes = computed<readonly string[]>(() => {
    if (this.query() === null) return [];
    const failure = this.search.problem();
    if (failure) return [$localize`Could not search the clusters. ${failure.message}:reason:`];
    const response = this.response();
    return response ? unsearchedNotes(response) : [];
  });

  private entryOf(found: SearchResultDto): PaletteEntry {
    const { cluster, runtime, group, plural, kind, namespace, name } = found;
    return {
      id: `name ${runtime}/${cluster} ${plural}.${group} ${writeObject({ namespace, name })}`,
      group: 'names',
      icon: 'box',
      text: name,
      detail: [kind, namespace, cluster].filter((part) => part !== null).join(', '),
      found: this.response()?.text === this.query(),
      run: () => this.common.go(objectPage({ name: cluster, runtime }, found)),
    };
  }
}
