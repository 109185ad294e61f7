import { computed, type Signal, signal } from '@angular/core';
import type { ResourceTypeDto, TableRowDto } from '../../shared/api/api-types';
import { kindKey } from '../resource-model/kind-labels';
import type { TypeName } from '../resource-model/resource-address';
import { readColumns, saveColumns } from './column-preferences';
import { sameJson } from '../../shared/format/same-json';
import { columnsOf, commonLabels, LABEL_PREFIX } from './table-columns';
import type { TableFeed } from './table-feed';

/** The inputs of the columns of a table. */
export interface ColumnSource {
  feed: Signal<Pick<TableFeed, 'columns' | 'usage'> | undefined>;
  rows: Signal<readonly TableRowDto[]>;
  type: Signal<ResourceTypeDto | undefined>;
  /** The chosen namespaces; empty for all. */
  namespaces: Signal<readonly string[]>;
  /** Whether rows have trends of usage. */
  trends: Signal<boolean>;
}

/** The columns of a table, and those of them that the user chose. */
export class ShownColumns {
  /** By title; undefined for the default. */
  private readonly chosen = signal<readonly string[] | undefined>(undefined);
  private readonly labels = computed(() => commonLabels(this.source.rows()), { equal: sameJson });
  readonly areDefault = computed(() => this.chosen() === undefined);
  readonly all = computed(() => {
    const feed = this.source.feed();
    const wanted = (this.chosen() ?? [])
      .filter((title) => title.startsWith(LABEL_PREFIX))
      .map((title) => title.slice(LABEL_PREFIX.length));
    const labels = [...new Set([...this.labels(), ...wanted])];
    const namespaced = this.source.type()?.namespaced ?? false;
    const usage = feed?.usage() ?? false;
    return columnsOf(feed?.columns() ?? [], { namespaced, usage, trends: this.source.trends() }, labels);
  });
  readonly shown = computed(() => {
    const chosen = this.chosen();
    const isOneNamespace = this.source.namespaces().length === 1;
    return this.all().filter(
      ({ kind, title, isDefault }) =>
        kind === 'name' ||
        // Within one namespace, the column is redundant.
        (kind === 'namespace' && isOneNamespace ? false : chosen ? chosen.includes(title) : isDefault),
    );
  });

  constructor(private readonly source: ColumnSource) {}

  /** Applies the last choice for a kind. */
  restore(type: TypeName): void {
    this.chosen.set(readColumns(kindKey(type)));
  }

  /** @param titles undefined for the default */
  choose(type: TypeName, titles: readonly string[] | undefined): void {
    this.chosen.set(titles);
    saveColumns(kindKey(type), titles);
  }
}
