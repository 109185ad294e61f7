import { computed, type Signal } from '@angular/core';
import type { ParamMap } from '@angular/router';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { sameJson } from '../../../shared/format/same-json';
import { lineReference } from '../../search-model/line-address';
import type { SourceSelection } from '../../search-model/source-group';
import { scopeOfSource, type SourceScope } from '../../../../../backend/src/core/search/index.js';
import type { SearchScope } from '../../../shared/search/log-query';
import {
  EMPTY_SELECTION,
  isEmptySelection,
  isSelected,
  readSelection,
  selectionParameters,
  selectionSummary,
} from '../../search-model/source-selection';
import type { LogSources } from '../sources/log-sources';

/** Limit of source ids in a request, in characters. */
const MAX_ID_CHARACTERS = 20_000;

export class SelectedSources {
  constructor(
    private readonly params: Signal<ParamMap>,
    private readonly sources: LogSources,
    private readonly within: Signal<SourceScope | null>,
  ) {}

  readonly selection = computed(() => readSelection(this.params()));
  /** Nothing was chosen: all sources, also those of the future. */
  readonly isEverything = computed(() => isEmptySelection(this.selection()));
  /** In any scope. */
  private readonly chosen = computed(() => this.sourcesOf(this.selection()));
  private readonly matching = computed(() => this.chosen().filter((source) => this.isWithin(source)));
  /** The scope hides every chosen source. */
  readonly isOutside = computed(() => this.chosen().length > 0 && this.matching().length === 0);
  /** Ids of the chosen sources in any scope; null for all sources. */
  readonly anyScope = computed<SearchScope>(() => {
    const isNamed = !this.isEverything() && fitRequest(this.chosen());
    return isNamed ? this.chosen().map(({ id }) => id) : null;
  });
  /** Of everything, deleted sources are left out if a request cannot name them all. */
  readonly all = computed(() => {
    const matching = this.matching();
    return this.isEverything() && !fitRequest(matching)
      ? matching.filter(({ state }) => state !== 'gone')
      : matching;
  });
  readonly isGone = computed(
    () => this.all().length > 0 && this.all().every(({ state }) => state === 'gone'),
  );
  readonly ids = computed(() => this.all().map(({ id }) => id), { equal: sameJson });
  /** More ids than a request may have. */
  readonly isTooMany = computed(() => !fitRequest(this.all()));
  /** Ids for requests; empty if there are too many. */
  readonly readable = computed(() => (this.isTooMany() ? [] : this.ids()));
  /** Ids of the sources to search. A search of everything has no limit, since its requests name no sources. */
  readonly searched = computed(
    () => (this.isEverything() ? this.matching().map(({ id }) => id) : this.readable()),
    { equal: sameJson },
  );
  readonly scope = computed<SearchScope>(() => (this.isEverything() ? null : this.readable()));
  /** Includes keys of sources that do not exist yet. */
  readonly keys = computed(
    () => {
      const hidden = new Set(this.chosen().flatMap((source) => (this.isWithin(source) ? [] : source.key)));
      const chosen = this.selection().keys.filter((key) => !hidden.has(key));
      return [...new Set([...chosen, ...this.all().map(({ key }) => key)])];
    },
    { equal: sameJson },
  );
  /** The selection if no source matches it, as text. */
  readonly missing = computed(() => {
    const selection = this.selection();
    const hasSources = selection.groups.length === 0 || this.chosen().length > 0;
    return hasSources || this.sources.byId() === null ? null : selectionSummary(selection);
  });

  /** The scope to show with a selection: all, if the present one would hide every source of it. */
  scopeFor(selection: SourceSelection): SourceScope | null {
    const chosen = this.sourcesOf(selection);
    return chosen.length === 0 || chosen.some((source) => this.isWithin(source)) ? this.within() : null;
  }

  private sourcesOf(selection: SourceSelection): LogSourceDto[] {
    const all = this.sources.all();
    return isEmptySelection(selection) ? all : all.filter((source) => isSelected(source, selection));
  }

  private isWithin(source: LogSourceDto): boolean {
    const within = this.within();
    return within === null || scopeOfSource(source) === within;
  }

  /** Query parameters of a link to a line among the selected sources, or in its own source if that is not selected. */
  lineAddress(source: LogSourceDto, seq: number): Record<string, string | string[] | null> {
    const selection = this.selection();
    const isAmong = this.isEverything() || isSelected(source, selection);
    const among = isAmong ? selection : { ...EMPTY_SELECTION, keys: [source.key] };
    return { ...selectionParameters(among), line: lineReference(source.key, seq) };
  }
}

function fitRequest(sources: readonly LogSourceDto[]): boolean {
  return sources.map(({ id }) => id).join().length <= MAX_ID_CHARACTERS;
}
