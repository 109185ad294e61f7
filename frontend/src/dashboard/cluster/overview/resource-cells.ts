import { Component, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { ClusterKey } from '../../../shared/api/api';
import type { ResourceBlockDto } from '../../../shared/api/api-types';
import { kindTitle, shortTitle } from '../../resources/kind-labels';
import { type PageAddress, tablePage } from '../../resources/resource-address';
import { asksForAttention, healthSentence } from './block-words';
import type { NamedBlock } from './overview-blocks';

/** Kinds that need no rows of their own: how many there are, and how they stand. */
@Component({
  selector: 'sw-resource-cells',
  imports: [RouterLink],
  template: `
    <ul class="panel" [attr.aria-label]="label()">
      @for (each of blocks(); track each.name) {
        <li>
          <a
            [routerLink]="pageOf(each.block).path"
            [queryParams]="pageOf(each.block).query"
            [attr.data-tone]="each.block.error ? 'warning' : toneOf(each.block)"
          >
            <span class="cut" [title]="title(each.block.type)">{{ short(each.block.type) }}</span>
            <b>{{ each.block.error ? '–' : each.block.total }}</b>
            <small class="cut" [title]="each.block.error?.message ?? ''">{{
              each.block.error?.message ?? sentence(each.block)
            }}</small>
          </a>
        </li>
      }
    </ul>
  `,
  styles: `
    :host {
      display: block;
    }
    ul {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(11.5rem, 1fr));
      gap: 1px;
      overflow: hidden;
      background: var(--surface);
    }
    a {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 0 8px;
      align-content: center;
      align-items: baseline;
      min-height: 58px;
      padding: 8px 16px;
      box-shadow: 0 0 0 1px var(--line);
      color: var(--text-2);
      font-size: var(--fs-sm);
    }
    a:hover {
      background: var(--hover);
      text-decoration: none;
    }
    a:focus-visible {
      outline-offset: -2px;
    }
    b {
      color: var(--text);
      font-size: var(--fs-lg);
    }
    small {
      grid-column: 1 / -1;
      min-height: 1.45em;
      color: var(--text-3);
      font-size: var(--fs-xs);
    }
    [data-tone='failed'] small {
      color: var(--failed-text);
    }
    [data-tone='warning'] small {
      color: var(--degraded-text);
    }
    @media (width <= 720px) {
      ul {
        grid-template-columns: repeat(2, minmax(0, 1fr));
      }
    }
  `,
})
export class ResourceCells {
  readonly key = input.required<ClusterKey>();
  /** What the kinds have in common, for who does not see it. */
  readonly label = input.required<string>();
  readonly blocks = input.required<readonly NamedBlock[]>();
  protected readonly title = kindTitle;
  protected readonly short = shortTitle;
  protected readonly sentence = healthSentence;
  protected readonly toneOf = asksForAttention;

  protected pageOf({ type }: ResourceBlockDto): PageAddress {
    return tablePage(this.key(), type);
  }
}
