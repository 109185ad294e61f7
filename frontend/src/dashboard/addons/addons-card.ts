import { Component, computed, effect, inject, input } from '@angular/core';
import { Router } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto, ReleaseDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { UI } from '../../shared/ui/ui';
import { ClusterAddons } from './cluster-addons';
import { InstalledAddons } from './installed-addons';

@Component({
  selector: 'sw-addons-card',
  imports: [InstalledAddons, UI],
  providers: [ClusterAddons],
  template: `
    <sw-installed-addons heading="Addons" i18n-heading (choose)="show($event)">
      <a i18n class="btn small end" [swLink]="page()">Catalog</a>
      @if (addons.forwards().length > 0) {
        <div foot class="panel-foot">{{ openForwards() }}</div>
      }
    </sw-installed-addons>
  `,
})
export class AddonsCard {
  private readonly router = inject(Router);
  protected readonly addons = inject(ClusterAddons);
  readonly cluster = input.required<ClusterDto>();
  protected readonly page = computed(() => clusterPage(this.cluster(), 'addons'));
  protected readonly openForwards = computed(() =>
    plural(this.addons.forwards().length, (n) => ({
      one: $localize`${n}:count: port-forward open. Close it in the catalog.`,
      other: $localize`${n}:count: port-forwards open. Close them in the catalog.`,
    })),
  );

  constructor() {
    effect(() => this.addons.cluster.set(this.cluster()));
  }

  protected show({ release, namespace }: ReleaseDto): void {
    const name = encodeURIComponent(`${namespace}/${release}`);
    void this.router.navigateByUrl(`${this.page()}&release=${name}`);
  }
}
