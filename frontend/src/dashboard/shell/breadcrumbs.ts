import { Component, inject, input } from '@angular/core';
import { clusterPage, type ClusterKey } from '../../shared/api/api';
import { UI } from '../../shared/ui/ui';
import { ListPlace } from '../clusters/list-place';

export interface Crumb {
  text: string;
  link?: string;
}

/** Builds the breadcrumbs of a cluster's subpage. Call it in an injection context. */
export function clusterCrumbs(): (name: string, key: ClusterKey | undefined, page: string) => Crumb[] {
  const place = inject(ListPlace);
  return (name, key, page) => [
    { text: $localize`Clusters`, link: place.url },
    { text: name, link: key ? clusterPage(key) : `/cluster/${encodeURIComponent(name)}` },
    { text: page },
  ];
}

@Component({
  selector: 'sw-breadcrumbs',
  imports: [UI],
  template: `
    <nav aria-label="Breadcrumbs" i18n-aria-label>
      <ol class="muted sm">
        @for (crumb of crumbs(); track crumb.text; let last = $last) {
          <li>
            @if (crumb.link && !last) {
              <a class="soft" [swLink]="crumb.link">{{ crumb.text }}</a>
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
    }
    li {
      min-height: 24px;
      overflow-wrap: anywhere;
    }
  `,
})
export class Breadcrumbs {
  readonly crumbs = input.required<readonly Crumb[]>();
}
