import { Component, computed, inject, input, type Signal } from '@angular/core';
import { type ClusterKey, clusterPage } from '../../shared/api/api';
import { UI } from '../../shared/ui/ui';
import { ListPlace } from './list-place';

export interface Crumb {
  text: string;
  link?: string;
}

/** The breadcrumbs of a cluster's subpage. Requires an injection context. */
export function clusterCrumbs(
  name: Signal<string>,
  key: Signal<ClusterKey | undefined>,
  page: () => string,
): Signal<Crumb[]> {
  const place = inject(ListPlace);
  return computed(() => {
    const [text, cluster] = [name(), key()];
    return [
      { text: $localize`Clusters`, link: place.url },
      { text, link: cluster ? clusterPage(cluster) : `/cluster/${encodeURIComponent(text)}` },
      { text: page() },
    ];
  });
}

@Component({
  selector: 'sw-breadcrumbs',
  imports: [UI],
  template: `
    <nav aria-label="Breadcrumbs" i18n-aria-label>
      <ol class="flow tight muted sm">
        @for (crumb of crumbs(); track crumb.text; let last = $last) {
          <li class="flow tight anywhere">
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
    ol {
      margin-bottom: var(--s-2);
    }
    li {
      min-height: 24px;
    }
  `,
})
export class Breadcrumbs {
  readonly crumbs = input.required<readonly Crumb[]>();
}
