import { Component, computed, inject, input } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type {
  ObjectReferenceDto,
  PodUsageDto,
  ResourceObjectDto,
  ResourceTypeDto,
  TableRowDto,
} from '../../shared/api/api-types';
import { formatFull } from '../../shared/format/format';
import { Clock } from '../../shared/browser/clock';
import { ApiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { ObjectPorts } from '../forwards/object-ports';
import { ObjectReachable } from '../forwards/object-reachable';
import { HEALTH_STATES, kindTitle } from '../resource-model/kind-labels';
import { type DetailRow, DetailRows, textRow } from './details/detail-rows';
import { ObjectConditions } from './details/object-conditions';
import { ObjectTree } from './details/object-tree';
import { controllersAbove } from './details/owner-chain';
import { PodDetails } from './details/pod-details';
import { rolloutText } from './details/rollout';
import { ObjectDiagnosis } from './object-diagnosis';
import { ObjectMap } from './object-map';
import { ObjectSecrets } from './object-secrets';
import { findOwned, type OwnedGroup } from './owned-objects';
import { objectPage, tablePage } from '../resource-model/resource-address';
import { cellText, shortAge } from './cell-values';
import { type TableColumn, textOf } from './table-columns';

const SHOWN = 12;

/** Columns whose cells are names of objects without a namespace, with their plural. */
const LINKED_COLUMNS: Readonly<Record<string, string>> = {
  Node: 'nodes',
  StorageClass: 'storageclasses',
  Volume: 'persistentvolumes',
};

/** Columns that describe a dependent in a list, where its table has them. */
const LISTED_COLUMNS = ['Ready', 'Status', 'Completions', 'Restarts', 'Duration', 'Endpoints'];

@Component({
  selector: 'sw-object-details',
  imports: [
    DetailRows,
    ObjectConditions,
    ObjectDiagnosis,
    ObjectMap,
    ObjectPorts,
    ObjectReachable,
    ObjectSecrets,
    ObjectTree,
    PodDetails,
    UI,
  ],
  template: `
    <sw-object-diagnosis [key]="key()" [object]="object()" [row]="row()" />
    <sw-object-reachable [key]="key()" [object]="object()" [labels]="row()?.labels ?? none" />
    <dl [swDetailRows]="facts()">
      @if (object().created_at; as time) {
        <dt i18n>Created</dt>
        <dd>
          <time [attr.datetime]="time">{{ full(time) }}</time>&ngsp;<span i18n class="muted"
            >{{ age(time) }} ago</span
          >
        </dd>
      }
      @if (object().owners.length > 0) {
        <dt i18n>Owned by</dt>
        <dd>
          @for (owner of owners(); track owner.kind + owner.name) {
            <div>
              {{ owner.kind }}
              @if (pageOf(owner); as page) {
                <a class="mono" [swLink]="page">{{ owner.name | swRaw }}</a>
              } @else {
                <span class="mono">{{ owner.name | swRaw }}</span>
              }
            </div>
          }
        </dd>
      }
      @if (labels().length > 0) {
        <dt i18n>Labels</dt>
        <dd class="flow tight">
          @for (label of labels(); track label.name) {
            <a class="tag plain" [swLink]="label.page" title="All {{ title() }} with this label" i18n-title
              ><span class="cut">{{ label.name | swRaw }}={{ label.value | swRaw }}</span></a
            >
          }
        </dd>
      }
    </dl>

    @if (object().hidden_keys.length > 0 || isSecret()) {
      <sw-object-secrets [key]="key()" [object]="object()" />
    }

    <sw-object-ports [key]="key()" [object]="object()" />
    @if (isPod()) {
      <sw-pod-details [key]="key()" [object]="object()" [usage]="usage()" />
    }

    <sw-object-conditions [object]="object()" />
    @if (object().type.custom) {
      <sw-object-tree [object]="object()" />
    }
    @if (object().used_by.length > 0) {
      <section>
        <h3 class="sm">
          <ng-container i18n>Used by</ng-container>&ngsp;<span class="muted">{{
            object().used_by.length
          }}</span>
        </h3>
        <ul class="sm">
          @for (user of object().used_by; track user.name) {
            <li class="inline">
              {{ user.kind }} <a class="mono cut" [swLink]="pageOf(user) ?? ''">{{ user.name | swRaw }}</a>
            </li>
          }
        </ul>
      </section>
    }
    @if (hasMap()) {
      <sw-object-map [key]="key()" [object]="object()" [row]="row()" />
    }

    @for (group of owned(); track group.type.plural) {
      <section>
        <h3 class="sm">
          {{ titleOf(group.type) }} <span class="muted">{{ group.rows.length }}</span>
        </h3>
        <ul class="sm">
          @for (each of group.rows.slice(0, shown); track each.uid) {
            <li class="inline">
              @if (each.health !== 'none') {
                <sw-state [state]="states[each.health]" [silent]="true" />
              }
              <a class="mono cut" [swLink]="pageOfRow(group.type, each)">{{ each.name | swRaw }}</a>
              <span class="end nowrap cut">{{ summaryOf(group, each) }}</span>
              <span class="muted nowrap">{{ each.created_at === null ? '' : age(each.created_at) }}</span>
            </li>
          }
        </ul>
        @if (group.rows.length > shown) {
          <p i18n class="muted sm">and {{ group.rows.length - shown }} more</p>
        }
      </section>
    }
  `,
  styles: `
    :host {
      gap: var(--s-5);
      padding: 14px 16px 20px;
    }
    .tag {
      max-width: 100%;
    }
    li {
      min-height: 30px;
    }
  `,
  host: { class: 'stack' },
})
export class ObjectDetails {
  private readonly api = inject(Api);
  private readonly clock = inject(Clock);
  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ResourceObjectDto>();
  /** Its row in the table; null if the table has none. */
  readonly row = input.required<TableRowDto | null>();
  /** Usage of a Pod; null if unknown. */
  readonly usage = input<PodUsageDto | null>(null);
  readonly columns = input.required<readonly TableColumn[]>();
  readonly types = input.required<readonly ResourceTypeDto[]>();

  protected readonly facts = computed(() => {
    const [object, row] = [this.object(), this.row()];
    const rollout = rolloutText(object);
    const facts: DetailRow[] = [
      ...(object.namespace === null ? [] : [this.fact($localize`Namespace`, object.namespace, 'namespaces')]),
      ...(rollout === null ? [] : [textRow($localize`Rollout`, rollout)]),
    ];
    if (!row) return facts;
    const tone = row.health === 'failed' ? 'error-text' : row.health === 'warning' ? 'warning-text' : '';
    for (const column of this.columns()) {
      if (!['cell', 'cpu', 'memory'].includes(column.kind)) continue;
      const { title } = column;
      const value = textOf(column, row, 0);
      if (value === '' || value === '<none>') continue;
      const fact = this.fact(title, value, LINKED_COLUMNS[title], title === 'Status' ? tone : '');
      facts.push({ ...fact, trend: this.trendOf(column) });
    }
    return facts;
  });
  protected readonly labels = computed(() => {
    return Object.entries(this.row()?.labels ?? {}).map(([name, value]) => ({
      name,
      value,
      page: tablePage(this.key(), this.object().type, { labels: `${name}=${value}` }),
    }));
  });
  protected readonly title = computed(() => kindTitle(this.object().type));
  protected readonly hasMap = computed(() => {
    const { group, plural } = this.object().type;
    return group === 'apps' && ['deployments', 'statefulsets', 'daemonsets'].includes(plural);
  });
  protected readonly isSecret = computed(() => this.isCore('secrets'));
  protected readonly isPod = computed(() => this.isCore('pods'));
  /** Optional: the other details show even if it fails. */
  private readonly found = new ApiResource(
    ({ key, object, types }, signal) => findOwned(this.api, key, object, types, signal),
    () => ({ key: this.key(), object: this.object(), types: this.types() }),
  );
  protected readonly owned = computed(() => this.found.current() ?? []);
  private readonly chain = new ApiResource(
    ({ key, object }, signal) => controllersAbove(this.api, key, object, signal),
    () => ({ key: this.key(), object: this.object() }),
  );
  /** Its owners, then those of its controller. */
  protected readonly owners = computed(() => {
    const { owners } = this.object();
    return [...owners, ...(this.chain.current() ?? []).slice(1)];
  });
  protected readonly none = {};
  protected readonly states = HEALTH_STATES;
  protected readonly titleOf = kindTitle;
  protected readonly shown = SHOWN;
  protected readonly full = formatFull;

  private trendOf({ kind, title }: TableColumn): DetailRow['trend'] {
    const usage = this.usage();
    const values = kind === 'cpu' ? usage?.cpu_trend : kind === 'memory' ? usage?.memory_trend : undefined;
    return values && { values, label: $localize`${title}:figure: over the last hour` };
  }

  /** @param plural of the object without a namespace that has this name */
  private fact(title: string, text: string, plural?: string, look = ''): DetailRow {
    const page = plural === undefined ? undefined : this.page(plural, text);
    return { title, parts: [{ text, look, page }] };
  }

  protected age(time: string): string {
    return shortAge(time, this.clock.now());
  }

  protected pageOf({ plural, ...owner }: ObjectReferenceDto): string | undefined {
    return plural === null ? undefined : objectPage(this.key(), { ...owner, plural });
  }

  protected pageOfRow(type: ResourceTypeDto, { namespace, name }: TableRowDto): string {
    return objectPage(this.key(), { ...type, namespace, name });
  }

  protected summaryOf({ columns }: OwnedGroup, { cells }: TableRowDto): string {
    const texts = LISTED_COLUMNS.map((title) =>
      cellText(cells[columns.findIndex(({ name }) => name === title)]),
    );
    return texts.filter((text) => !['', '0', '<none>'].includes(text)).join(' · ');
  }

  private isCore(plural: string): boolean {
    const { type } = this.object();
    return type.group === 'core' && type.plural === plural;
  }

  private page(plural: string, name: string): string {
    const group = plural === 'storageclasses' ? 'storage.k8s.io' : 'core';
    return objectPage(this.key(), { group, version: 'v1', plural, namespace: null, name });
  }
}
