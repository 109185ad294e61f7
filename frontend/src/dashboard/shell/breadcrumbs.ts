import { Component, input } from '@angular/core';
import { type Params, RouterLink } from '@angular/router';
import { Icon } from '../../shared/ui/icon';

export interface Crumb {
  text: string;
  link?: string | string[];
  query?: Params;
}

/** The way here, the last part being where one is: Clusters / staging. */
@Component({
  selector: 'sw-breadcrumbs',
  imports: [RouterLink, Icon],
  template: `
    <nav aria-label="Breadcrumbs">
      <ol>
        @for (crumb of crumbs(); track crumb.text; let last = $last) {
          <li>
            @if (crumb.link && !last) {
              <a [routerLink]="crumb.link" [queryParams]="crumb.query">{{ crumb.text }}</a>
              <sw-icon name="chevron-right" [size]="12" />
            } @else {
              <span aria-current="page">{{ crumb.text }}</span>
            }
          </li>
        }
      </ol>
    </nav>
  `,
  styles: `
    ol {
      display: flex;
      flex-wrap: wrap;
      gap: 6px;
      font-size: var(--fs-sm);
      color: var(--text-3);
      margin-bottom: var(--s-2);
    }
    li {
      display: inline-flex;
      align-items: center;
      gap: 6px;
      min-height: 24px;
      overflow-wrap: anywhere;
    }
    a {
      color: var(--text-2);
    }
  `,
})
export class Breadcrumbs {
  readonly crumbs = input.required<readonly Crumb[]>();
}
