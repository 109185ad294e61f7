import { Component, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { engineIcon, Icon } from '../../shared/ui/icon';
import { Placeholder } from '../../shared/ui/placeholder';

/** Asks which cluster is meant, where several engines hold one of this name and the address does not say. */
@Component({
  selector: 'sw-engine-choice',
  imports: [Icon, Placeholder, RouterLink],
  template: `
    <sw-placeholder [heading]="'Several engines hold a cluster called ' + clusters()[0]?.name">
      Which one is meant?
      @for (each of clusters(); track each.runtime) {
        <a
          action
          class="btn"
          [routerLink]="[...pageOf(each).path, ...below()]"
          [queryParams]="pageOf(each).query"
        >
          <sw-icon [name]="engineIcon(each.runtime)" />{{ each.name }} on {{ each.runtime }}
        </a>
      }
    </sw-placeholder>
  `,
})
export class EngineChoice {
  readonly clusters = input.required<readonly ClusterDto[]>();
  /** The page below the cluster's own that it leads to. */
  readonly below = input<readonly string[]>([]);
  protected readonly pageOf = clusterPage;
  protected readonly engineIcon = engineIcon;
}
