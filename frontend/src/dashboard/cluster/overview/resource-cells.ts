import { Component, input } from '@angular/core';
import type { ClusterKey } from '../../../shared/api/api';
import { UI } from '../../../shared/ui/ui';
import { kindTitle, shortTitle } from '../../resource-model/kind-labels';
import { tablePage } from '../../resource-model/resource-address';
import { healthSummary, severityOf } from './block-labels';
import type { NamedBlock } from './overview-blocks';

@Component({
  selector: 'sw-resource-cells',
  imports: [UI],
  template: `
    <ul class="panel" [attr.aria-label]="label()">
      @for (each of blocks(); track each.name) {
        <li>
          <a
            class="row-link"
            [swLink]="tablePage(key(), each.block.type, kept())"
            [attr.data-tone]="each.block.error ? 'warning' : severityOf(each.block)"
          >
            <span class="cut soft" [title]="title(each.block.type)">{{ short(each.block.type) }}</span>
            <b>{{ each.block.error ? '–' : each.block.total }}</b>
            <small class="cut xs" [title]="each.block.error?.message ?? ''">{{
              each.block.error?.message ?? summary(each.block)
            }}</small>
          </a>
        </li>
      }
    </ul>
  `,
  styles: `
    ul {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(11.5rem, 1fr));
      gap: 1px;
      overflow: hidden;
    }
    .row-link {
      grid-template-columns: minmax(0, 1fr) auto;
      align-content: center;
      align-items: baseline;
      min-height: 58px;
      padding-block: 8px;
      box-shadow: 0 0 0 1px var(--line);
    }
    b {
      font-size: var(--fs-lg);
    }
    small {
      grid-column: 1 / -1;
      min-height: 1.45em;
      color: var(--text-3);
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
      /* No empty cell at the end. */
      li:last-child:nth-child(odd) {
        grid-column: 1 / -1;
      }
    }
  `,
  host: { class: 'block' },
})
export class ResourceCells {
  readonly key = input.required<ClusterKey>();
  /** Query parameters that the tables keep. */
  readonly kept = input.required<Parameters<typeof tablePage>[2]>();
  readonly label = input.required<string>();
  readonly blocks = input.required<readonly NamedBlock[]>();
  protected readonly title = kindTitle;
  protected readonly short = shortTitle;
  protected readonly summary = healthSummary;
  protected readonly severityOf = severityOf;
  protected readonly tablePage = tablePage;
}
