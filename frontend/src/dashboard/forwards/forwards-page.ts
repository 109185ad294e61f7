import { Component } from '@angular/core';
import { Breadcrumbs, clusterCrumbs } from '../cluster-context/breadcrumbs';
import { OfCluster } from '../cluster-context/of-cluster';
import { NoCluster } from '../cluster-context/no-cluster';
import { ForwardList } from './forward-list';

@Component({
  selector: 'sw-forwards-page',
  imports: [Breadcrumbs, ForwardList, NoCluster],
  template: `
    <div class="page">
      <sw-breadcrumbs [crumbs]="crumbs()" />
      @if (cluster(); as cluster) {
        <div class="page-head">
          <div>
            <h1 i18n>Port-forwards of {{ cluster.name }}</h1>
            <p i18n class="lede">
              Port-forwards from this machine to Pods. They are kept until you stop them or delete the
              cluster.
            </p>
          </div>
        </div>
        @if (key(); as key) {
          <sw-forward-list class="gap-top" [key]="key" />
        }
      } @else {
        <h1>{{ name() }}</h1>
        <sw-no-cluster class="gap-top" [name]="name()" [choice]="choice()" [below]="['forwards']" />
      }
    </div>
  `,
})
export class ForwardsPage extends OfCluster {
  protected readonly crumbs = clusterCrumbs(this.name, this.key, () => $localize`Port-forwards`);
}
