import { Component, inject, input } from '@angular/core';
import { type Params, RouterLink } from '@angular/router';
import { clusterPage, type ClusterKey } from '../../shared/api/api';
import { Icon } from '../../shared/ui/icon';
import { ListPlace } from '../clusters/list-place';

export interface Crumb {
  text: string;
  link?: string | string[];
  query?: Params | undefined;
}

/** Builds the breadcrumbs of a cluster's subpage. Call it in an injection context. */
export function clusterCrumbs(): (name: string, key: ClusterKey | undefined, page: string) => Crumb[] {
  const place = inject(ListPlace);
  return (name, key, page) => {
    const { path, query } = key ? clusterPage(key) : { path: ['/cluster', name], query: undefined };
    return [
      { text: $localize`Clusters`, link: '/clusters', query: place.params },
      { text: name, link: path, query },
      { text: page },
    ];
  };
}

/** Breadcrumb navigation: Clusters > staging > Addons. The last crumb is the current page. */
@Component({
  selector: 'sw-breadcrumbs',
  imports: [RouterLink, Icon],
  template: `
    <nav aria-label="Breadcrumbs" i18n-aria-label>
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
    ol,
    li {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 6px;
    }
    ol {
      margin-bottom: var(--s-2);
      color: var(--text-3);
      font-size: var(--fs-sm);
    }
    li {
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
