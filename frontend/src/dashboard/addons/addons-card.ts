import { Component, computed, effect, inject, input } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto, ReleaseDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { AddonsJob } from './addons-job';
import { ClusterAddons } from './cluster-addons';
import { InstalledAddons } from './installed-addons';

/** The addons on a cluster's page: installed releases and the active addon job. */
@Component({
  selector: 'sw-addons-card',
  imports: [AddonsJob, InstalledAddons, RouterLink, SkeletonRows],
  providers: [ClusterAddons],
  template: `
    <section class="panel" aria-labelledby="addons-title">
      <div class="panel-head">
        <h2 i18n id="addons-title">Addons</h2>
        @if (addons.installed(); as installed) {
          <span class="n">{{ installed.length }}</span>
        }
        <span class="acts">
          <a i18n class="btn small" [routerLink]="page().path" [queryParams]="page().query">Catalog</a>
        </span>
      </div>
      @if (addons.job(); as job) {
        <sw-addons-job [job]="job" />
      }
      @if (addons.unknown(); as reason) {
        <p class="panel-note error-text">{{ reason }}</p>
      }
      @if (addons.installed(); as installed) {
        @if (installed.length === 0) {
          <p i18n class="panel-note">
            None installed. The catalog has metrics, ingress, certificates, dashboards and more.
          </p>
        } @else {
          <sw-installed-addons [releases]="installed" (choose)="show($event)" />
        }
      } @else if (addons.unknown() === null) {
        <sw-skeleton-rows label="Loading the addons" i18n-label [count]="2" [height]="44" />
      }
      @if (addons.forwards().length > 0) {
        <div class="panel-foot">{{ openForwards() }}</div>
      }
    </section>
  `,
})
export class AddonsCard {
  private readonly router = inject(Router);
  protected readonly addons = inject(ClusterAddons);
  readonly cluster = input.required<ClusterDto>();
  protected readonly page = computed(() => {
    const { path, query } = clusterPage(this.cluster());
    return { path: [...path, 'addons'], query };
  });
  protected readonly openForwards = computed(
    () =>
      $localize`${plural(this.addons.forwards().length, 'port-forward')}:portForwards: open. Close them in the catalog.`,
  );

  constructor() {
    effect(() => this.addons.cluster.set(this.cluster()));
  }

  protected show({ release, namespace }: ReleaseDto): void {
    const { path, query } = this.page();
    void this.router.navigate(path, { queryParams: { ...query, release: `${namespace}/${release}` } });
  }
}
