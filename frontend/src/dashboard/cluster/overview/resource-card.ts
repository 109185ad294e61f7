import { Component, computed, inject, Injector, input } from '@angular/core';
import type { ClusterKey } from '../../../shared/api/api';
import type { ResourceBlockDto } from '../../../shared/api/api-types';
import { UI } from '../../../shared/ui/ui';
import { rightsIn } from '../../external/kind-rights';
import { HEALTH_LABELS, HEALTH_STATES, kindTitle } from '../../resource-model/kind-labels';
import { isPodType, type ObjectName, objectPage, tablePage } from '../../resource-model/resource-address';
import { type CardRow, cardRows, healthParts, healthSummary, severityOf } from './block-labels';

const ROWS = 5;

@Component({
  selector: 'sw-resource-card',
  imports: [UI],
  template: `
    <header class="panel-head">
      <h3 [id]="'kind-' + block().type.plural">{{ title() }}</h3>
      @if (!block().error) {
        <span class="n">{{ block().total }}</span>
      }
      <span
        class="end sm muted"
        [class.error-text]="tone() === 'failed'"
        [class.warning-text]="tone() === 'warning'"
        >{{ summary() }}</span
      >
    </header>
    @if (block().error; as error) {
      <p class="panel-note warning-text" role="note">{{ error.message }}</p>
    } @else {
      <div class="bar" aria-hidden="true">
        @for (part of bar(); track part.health) {
          <i [attr.data-health]="part.health" [style.flex-grow]="part.count"></i>
        }
      </div>
      <ul [attr.aria-labelledby]="'kind-' + block().type.plural">
        @for (each of rows(); track each.row.uid) {
          <li>
            <a class="row-link" [class.wide]="wide()" [swLink]="pageOf(each)">
              @if (each.row.health === 'none') {
                <i class="dot" aria-hidden="true"></i>
              } @else {
                <sw-state [state]="states[each.row.health]" [silent]="true" />
                <span class="sr-only">{{ labels[each.row.health] }}:</span>
              }
              <span class="name">
                <span class="mono cut" [title]="each.name | swRaw">{{ each.name | swRaw }}</span>
                <span class="muted xs cut">{{ each.beside }}</span>
              </span>
              @if (wide()) {
                @for (more of each.more; track $index) {
                  <span class="muted xs cut more" [title]="more">{{ more }}</span>
                }
              }
              <span
                class="value muted xs num cut"
                [class.error-text]="each.row.health === 'failed'"
                [class.warning-text]="each.row.health === 'warning'"
                >{{ each.value }}</span
              >
            </a>
            @if (isPods()) {
              <button
                swIconButton="refresh"
                data-changes
                [attr.data-denied]="rights.deniedAction('restart-pod', block().type)"
                label="Restart {{ each.name }}…"
                i18n-label
                [size]="14"
                (click)="restart(each)"
              ></button>
            }
          </li>
        } @empty {
          <li i18n class="none sm muted">None</li>
        }
      </ul>
    }
    <footer class="panel-foot">
      <a [swLink]="table()">{{ link() }}</a>
    </footer>
  `,
  styleUrl: './resource-card.scss',
  host: { class: 'panel flex-column' },
})
export class ResourceCard {
  readonly key = input.required<ClusterKey>();
  readonly block = input.required<ResourceBlockDto>();
  /** Query parameters that the table keeps. */
  readonly kept = input.required<Parameters<typeof tablePage>[2]>();
  readonly wide = input(false);
  /** Milliseconds since 1970, for ages. */
  readonly now = input.required<number>();
  private readonly injector = inject(Injector);

  protected readonly rights = rightsIn(() => ({
    key: this.isPods() ? this.key() : undefined,
    namespaces: this.rows().map(({ row }) => row.namespace),
  }));
  protected readonly title = computed(() => kindTitle(this.block().type));
  protected readonly isPods = computed(() => isPodType(this.block().type));
  protected readonly summary = computed(() => healthSummary(this.block()));
  protected readonly tone = computed(() => severityOf(this.block()));
  protected readonly bar = computed(() => healthParts(this.block().health));
  protected readonly rows = computed(() => cardRows(this.block(), this.now(), ROWS));
  protected readonly table = computed(() => tablePage(this.key(), this.block().type, this.kept()));
  protected readonly link = computed(() => {
    const { total, error } = this.block();
    return error || total < 2
      ? $localize`View ${this.title()}:kind:`
      : $localize`View all ${total}:count: ${this.title()}:kind:`;
  });
  protected readonly states = HEALTH_STATES;
  protected readonly labels = HEALTH_LABELS;

  protected pageOf(card: CardRow): string {
    return objectPage(this.key(), this.objectOf(card));
  }

  protected async restart(pod: CardRow): Promise<void> {
    const { ResourceActions } = await import('../../resources/resource-actions');
    await this.injector.get(ResourceActions).start('restart', this.key(), this.objectOf(pod));
  }

  private objectOf({ row: { namespace, name } }: CardRow): ObjectName {
    return { ...this.block().type, namespace, name };
  }
}
