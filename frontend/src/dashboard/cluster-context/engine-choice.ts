import { Component, input } from '@angular/core';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { engineIcon } from '../../shared/ui/icon';
import { UI } from '../../shared/ui/ui';

@Component({
  selector: 'sw-engine-choice',
  imports: [UI],
  template: `
    <sw-placeholder heading="Several engines have a cluster named {{ clusters()[0]?.name }}" i18n-heading>
      <ng-container i18n>Choose one.</ng-container>
      @for (each of clusters(); track each.runtime) {
        <a i18n action class="btn" [swLink]="pageOf(each, ...below())"
          ><sw-icon [name]="engineIcon(each.runtime)" />{{ each.name }} on {{ each.runtime }}</a
        >
      }
    </sw-placeholder>
  `,
})
export class EngineChoice {
  readonly clusters = input.required<readonly ClusterDto[]>();
  /** Path segments of the page below the cluster's own. */
  readonly below = input<readonly string[]>([]);
  protected readonly pageOf = clusterPage;
  protected readonly engineIcon = engineIcon;
}
