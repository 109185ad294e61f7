import { Component, computed, inject, input, viewChild } from '@angular/core';
import type { PodUsageDto, ResourceTypeDto } from '../../shared/api/api-types';
import { mediaSignal } from '../../shared/ui/media-signal';
import { Popover } from '../../shared/ui/popover';
import { Toaster } from '../../shared/ui/toaster';
import { SearchField } from '../../shared/ui/search-field';
import { clusterPage } from '../../shared/api/api';
import { served } from '../../shared/api/base-path';
import { ServerPresence } from '../../shared/browser/server-presence';
import { ProblemsStore } from '../../shared/live/problems-store';
import { apiResource } from '../../shared/loading/api-resource';
import { isForPage, keyName } from '../../shared/ui/slash-focus';
import { UI } from '../../shared/ui/ui';
import { Breadcrumbs, clusterCrumbs } from '../cluster-context/breadcrumbs';
import { OfCluster } from '../cluster-context/of-cluster';
import { EngineChoice } from '../cluster-context/engine-choice';
import { KindRights, rightsIn } from '../external/kind-rights';
import { changesOff } from '../external/external-labels';
import { kindTitle } from '../resource-model/kind-labels';
import { objectPage, type PanelPart } from '../resource-model/resource-address';
import { type BulkAction, MAX_OBJECTS } from './bulk-labels';
import { ColumnChoice } from './column-choice';
import { groupKinds } from './kind-groups';
import { KindList } from './kind-list';
import { NamespaceFilter } from './namespace-filter';
import { ObjectPanel } from './object-panel';
import { ResourceActions } from './resource-actions';
import { type OpenedRow, ResourceGrid } from './resource-grid';
import { ResourceTable } from './resource-table';
import { asSentence } from '../../shared/format/format';
import { sameJson } from '../../shared/format/same-json';
import { SelectedObjects } from './selected-objects';
import { StatusFilter } from './status-filter';
import { TableFilter } from './table-filter';
import type { Entry } from './table-rows';
import { TableStates } from './table-states';
import { shellTarget } from '../shells/shell-target';
import { Shells } from '../shells/shells';

/** Room for the kinds beside the table, and beside the table and the object panel. */
const WIDE = '(width > 900px)';
const WIDEST = '(width >= 1600px)';

/** Known before the list of kinds is loaded, so that the toolbar does not change then. */
const CLUSTER_SCOPED: readonly string[] = ['namespaces', 'nodes', 'persistentvolumes', 'storageclasses'];

/** The keys of k9s, in the table and in the panel. */
const PART_KEYS: Readonly<Record<string, PanelPart>> = { d: 'details', e: 'yaml', l: 'logs', y: 'yaml' };

@Component({
  selector: 'sw-resource-page',
  imports: [
    Breadcrumbs,
    ColumnChoice,
    EngineChoice,
    KindList,
    NamespaceFilter,
    ObjectPanel,
    Popover,
    ResourceGrid,
    SelectedObjects,
    StatusFilter,
    TableStates,
    UI,
  ],
  templateUrl: './resource-page.html',
  styleUrl: './resource-page.scss',
  host: { '(keydown)': 'press($event)' },
})
export class ResourcePage extends OfCluster {
  private readonly actions = inject(ResourceActions);
  private readonly shells = inject(Shells);
  private readonly server = inject(ServerPresence);
  private readonly toaster = inject(Toaster);
  private readonly grid = viewChild(ResourceGrid);
  private readonly panel = viewChild(ObjectPanel);
  private readonly filterField = viewChild(SearchField);

  /** From the URL. */
  readonly group = input.required<string>();
  readonly version = input.required<string>();
  readonly plural = input.required<string>();

  /** If the URL names the engine, the page does not wait for the list of clusters. */
  protected override readonly key = computed(
    () => {
      const runtime = this.runtime() ?? this.cluster()?.runtime;
      return runtime === undefined ? undefined : { name: this.name(), runtime };
    },
    { equal: sameJson },
  );
  protected readonly typeName = computed(
    () => ({ group: this.group(), version: this.version(), plural: this.plural() }),
    { equal: sameJson },
  );

  private readonly discovery = apiResource('/api/v1/clusters/{name}/resources', () => this.key());
  protected readonly types = computed(() => this.discovery.current() ?? []);
  protected readonly kinds = computed(() => groupKinds(this.types()));
  protected readonly type = computed((): ResourceTypeDto | undefined => {
    const { group, version, plural } = this.typeName();
    return (
      this.table.feed()?.type() ??
      this.types().find((type) => type.group === group && type.version === version && type.plural === plural)
    );
  });
  protected readonly isNamespaced = computed(
    () => this.type()?.namespaced ?? !CLUSTER_SCOPED.includes(this.plural()),
  );
  protected readonly title = computed(() => {
    const type = this.type();
    return type ? kindTitle(type) : this.plural();
  });
  protected readonly crumbs = clusterCrumbs(this.name, this.key, this.title);
  protected readonly filter = new TableFilter(this.key, this.type);
  protected readonly table = new ResourceTable(this.key, this.typeName, this.type, this.filter);
  protected readonly view = this.filter.view;
  protected readonly usageOf = (row: Entry['row']): PodUsageDto | undefined => this.table.usageOf(row);

  protected readonly pageOf = clusterPage;
  /** Metrics Server is not installed, or does not report yet. */
  protected readonly lacksUsage = computed(() => {
    const feed = this.table.feed();
    const isMeasured = this.group() === 'core' && ['pods', 'nodes'].includes(this.plural());
    return isMeasured && feed?.complete() === true && !feed.usage();
  });

  protected readonly openObject = computed(
    () => {
      const { object } = this.view();
      return object === null ? null : { ...this.typeName(), ...object };
    },
    { equal: sameJson },
  );
  protected readonly openUsage = computed(() => {
    const object = this.openObject();
    return object === null ? null : (this.table.usageOf(object) ?? null);
  });
  private readonly wide = mediaSignal(WIDE);
  private readonly widest = mediaSignal(WIDEST);
  protected readonly hasSidebar = computed(
    () => !this.discovery.problem() && (this.openObject() === null ? this.wide() : this.widest()),
  );
  /** Whether columns without room are left out. Columns that the user chose stay. */
  protected readonly isFitted = computed(() => this.openObject() !== null || this.table.columns.areDefault());
  protected readonly missing = computed(
    () => this.live.value() !== undefined && this.cluster() === undefined && this.choice().length === 0,
  );
  protected readonly linkOf = computed(() => {
    const key = this.key();
    const type = this.typeName();
    return ({ row: { namespace, name } }: Entry): string =>
      key ? served(objectPage(key, { ...type, namespace, name })) : '';
  });

  private readonly kindRights = inject(KindRights);
  private readonly rights = rightsIn(() => ({
    key: this.key(),
    namespaces: this.table.selected().map(({ row }) => row.namespace),
  }));
  protected readonly denied = (action: BulkAction): string | null =>
    this.rights.deniedAction(action, this.type());

  constructor() {
    super();
    // The panel shows what is known of an object while its causes are read.
    inject(ProblemsStore).live.watch();
  }

  protected async press(event: KeyboardEvent): Promise<void> {
    const [name, target] = [keyName(event), event.target as Element];
    const isInPanel = target.closest('sw-object-panel') !== null;
    const isInGrid = target.closest('sw-resource-grid') !== null;
    const object = isInPanel ? this.openObject() : isInGrid ? this.grid()?.currentEntry()?.row : null;
    const [key, part] = [this.key(), PART_KEYS[name]];
    if (!key || !object || !isForPage(event) || (part === undefined && name !== 's')) return;
    event.preventDefault();
    const { namespace } = object;
    if (part === undefined) {
      const shell = shellTarget(key, { ...this.typeName(), namespace, name: object.name });
      if (this.server.gone() || !shell) return;
      const off = this.whyOff();
      const rights = off === null && (await this.kindRights.readOn(key, namespace));
      if (this.isAllowed(rights ? rights.deniedAction('shell', undefined) : off)) this.shells.start(shell);
      return;
    }
    const reason = this.kindRights
      .on(key, namespace)
      .deniedAction(part === 'logs' ? 'logs' : 'read', this.typeName());
    if (this.isAllowed(reason) && (isInPanel || (await this.mayLeave()))) {
      await this.show(object, part);
      setTimeout(() => this.panel()?.focus());
    }
  }

  protected async clearFilter(): Promise<void> {
    this.filterField()?.focus();
    await this.filter.clear();
  }

  protected async open({ entry, byKey, why }: OpenedRow): Promise<void> {
    if (!(await this.mayLeave())) return;
    await this.show(entry.row, why ? 'details' : this.view().part);
    if (byKey) setTimeout(() => this.panel()?.focus());
    if (why) setTimeout(() => this.panel()?.showCause());
  }

  private async show(
    { namespace, name }: Pick<Entry['row'], 'namespace' | 'name'>,
    part: PanelPart,
  ): Promise<void> {
    const isFirst = this.view().object === null;
    await this.filter.show({ object: { namespace, name }, part }, isFirst ? 'history' : 'place');
  }

  protected async close(): Promise<void> {
    if (await this.mayLeave()) await this.closeDeleted();
  }

  /** Called by the router before it leaves the page. */
  mayLeave(): Promise<boolean> | boolean {
    return this.panel()?.mayClose() ?? true;
  }

  protected async changeSelected(action: BulkAction): Promise<void> {
    const [key, type] = [this.key(), this.type()];
    const objects = this.table.selected().map(({ row: { namespace, name } }) => ({ namespace, name }));
    if (!key || !type || objects.length === 0 || objects.length > MAX_OBJECTS) return;
    if (!this.isAllowed(this.whyOff() ?? this.denied(action))) return;
    if (await this.actions.changeAll({ action, key, type, objects })) this.table.selection.clear();
    this.grid()?.focus();
  }

  private whyOff(): string | null {
    return this.mayChange() ? null : (this.session.whyNot() ?? changesOff(this.name()));
  }

  /** Says why not, since a key has no control with a title. */
  private isAllowed(reason: string | null): boolean {
    if (reason !== null) this.toaster.failed($localize`This is not possible.`, asSentence(reason));
    return reason === null;
  }

  protected retry(): void {
    void this.live.reload();
    void this.table.feed()?.read();
    this.discovery.reload();
  }

  protected toRows(event: Event): void {
    event.preventDefault();
    this.grid()?.focus();
  }

  protected async closeDeleted(): Promise<void> {
    await this.filter.show({ object: null });
    setTimeout(() => this.grid()?.focus());
  }
}
