import { Component, input } from '@angular/core';
import { Breadcrumbs, clusterCrumbs } from '../cluster-context/breadcrumbs';
import { chosenCluster } from '../cluster-context/chosen-cluster';
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
export class ForwardsPage {
  /** From the URL. */
  readonly name = input.required<string>();
  readonly runtime = input<string>();
  private readonly found = chosenCluster(this.name, this.runtime);
  protected readonly choice = this.found.choice;
  protected readonly cluster = this.found.cluster;
  protected readonly key = this.found.key;
  protected readonly crumbs = clusterCrumbs(this.name, this.found.key, () => $localize`Port-forwards`);
}
