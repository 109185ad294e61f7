import { Component, computed, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { ClusterKey } from '../../../shared/api/api';
import type { ResourceBlockDto } from '../../../shared/api/api-types';
import { State } from '../../../shared/ui/state';
import { HEALTH_STATES, HEALTH_LABELS, kindTitle } from '../../resources/kind-labels';
import { objectPage, type PageAddress, tablePage } from '../../resources/resource-address';
import { asksForAttention, type CardRow, cardRows, healthParts, healthSentence } from './block-words';

const ROWS = 5;

/** One kind: how many there are and how they stand, the first of them, and the way to all. */
@Component({
  selector: 'sw-resource-card',
  imports: [RouterLink, State],
  template: `
    <header class="panel-head">
      <h3 [id]="'kind-' + block().type.plural">{{ title() }}</h3>
      @if (!block().error) {
        <span class="n">{{ block().total }}</span>
      }
      <span class="acts" [attr.data-tone]="tone()">{{ sentence() }}</span>
    </header>
    @if (block().error; as error) {
      <p class="why" role="note">{{ error.message }}</p>
    } @else {
      <div class="bar" aria-hidden="true">
        @for (part of bar(); track part.health) {
          <i [attr.data-health]="part.health" [style.flex-grow]="part.count"></i>
        }
      </div>
      <ul [attr.aria-labelledby]="'kind-' + block().type.plural">
        @for (each of rows(); track each.row.uid) {
          <li>
            <a [routerLink]="pageOf(each).path" [queryParams]="pageOf(each).query" [class.wide]="wide()">
              @if (each.row.health !== 'none') {
                <sw-state [state]="states[each.row.health]" [word]="false" [silent]="true" />
                <span class="sr-only">{{ words[each.row.health] }}:</span>
              } @else {
                <i class="dot" aria-hidden="true"></i>
              }
              <span class="name">
                <span class="mono cut" [title]="each.name">{{ each.name }}</span>
                @if (each.beside) {
                  <span class="beside cut">{{ each.beside }}</span>
                }
              </span>
              @if (wide()) {
                @for (more of each.more; track $index) {
                  <span class="beside cut more" [title]="more">{{ more }}</span>
                }
              }
              <span class="value cut" [attr.data-tone]="each.row.health">{{ each.value }}</span>
            </a>
          </li>
        } @empty {
          <li class="none">None yet</li>
        }
      </ul>
    }
    <footer class="panel-foot">
      <a [routerLink]="table().path" [queryParams]="table().query">{{ way() }}</a>
    </footer>
  `,
  styleUrl: './resource-card.scss',
  host: { class: 'panel' },
})
export class ResourceCard {
  readonly key = input.required<ClusterKey>();
  readonly block = input.required<ResourceBlockDto>();
  /** Has room for the columns beside the name. */
  readonly wide = input(false);
  /** Milliseconds since 1970, for ages. */
  readonly now = input.required<number>();

  protected readonly title = computed(() => kindTitle(this.block().type));
  protected readonly sentence = computed(() => healthSentence(this.block()));
  protected readonly tone = computed(() => asksForAttention(this.block()));
  protected readonly bar = computed(() => healthParts(this.block().health));
  protected readonly rows = computed(() => cardRows(this.block(), this.now(), ROWS));
  protected readonly table = computed(() => tablePage(this.key(), this.block().type));
  protected readonly way = computed(() => {
    const { total, error } = this.block();
    const title = this.title().toLowerCase();
    return error || total < 2 ? `To the ${title}` : `All ${total} ${title}`;
  });
  protected readonly states = HEALTH_STATES;
  protected readonly words = HEALTH_LABELS;

  protected pageOf({ row }: CardRow): PageAddress {
    const { group, version, plural } = this.block().type;
    return objectPage(this.key(), { group, version, plural, namespace: row.namespace, name: row.name });
  }
}
