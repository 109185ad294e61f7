import { computed, type Signal } from '@angular/core';
import type { ParamMap } from '@angular/router';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { lineReference } from '../line-address';
import type { LogSources } from './log-sources';
import {
  selectionParameters,
  selectionSummary,
  isSelected,
  EMPTY_SELECTION,
  readSelection,
} from './source-selection';

/** Limit of source ids in a request, in characters. */
const MAX_ID_CHARACTERS = 20_000;

export class SelectedSources {
  constructor(
    private readonly params: Signal<ParamMap>,
    private readonly sources: LogSources,
  ) {}

  readonly selection = computed(() => readSelection(this.params()));
  readonly all = computed(() => {
    const selection = this.selection();
    return this.sources.all().filter((source) => isSelected(source, selection));
  });
  readonly isGone = computed(
    () => this.all().length > 0 && this.all().every(({ state }) => state === 'gone'),
  );
  readonly ids = computed(() => this.all().map(({ id }) => id), { equal: isSameList });
  /** More ids than a request may have. */
  readonly isTooMany = computed(() => this.ids().join().length > MAX_ID_CHARACTERS);
  /** Ids for requests; empty if there are too many. */
  readonly readable = computed(() => (this.isTooMany() ? [] : this.ids()));
  /** Includes keys of sources that do not exist yet. */
  readonly keys = computed(
    () => [...new Set([...this.selection().keys, ...this.all().map(({ key }) => key)])],
    {
      equal: isSameList,
    },
  );
  /** The selection if no source matches it, as text. */
  readonly missing = computed(() => {
    const selection = this.selection();
    const hasSources = selection.groups.length === 0 || this.all().length > 0;
    return hasSources || this.sources.byId() === null ? null : selectionSummary(selection);
  });

  /** Query parameters of a link to a line among the selected sources, or in its own source if that is not selected. */
  lineAddress(source: LogSourceDto, seq: number): Record<string, string | string[] | null> {
    const selection = this.selection();
    const among = isSelected(source, selection) ? selection : { ...EMPTY_SELECTION, keys: [source.key] };
    return { ...selectionParameters(among), line: lineReference(source.key, seq) };
  }
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((entry, index) => entry === other[index]);
}
