import { Component, computed, effect, inject, input, signal } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import type { AddonDto, ReleaseDto } from '../../shared/api/api-types';
import { formatList } from '../../shared/format/format';
import { UI } from '../../shared/ui/ui';
import { OfCluster } from '../cluster-context/of-cluster';
import { Breadcrumbs, clusterCrumbs } from '../cluster-context/breadcrumbs';
import { NoCluster } from '../cluster-context/no-cluster';
import { ADDON_STATES, filterAddons, isKiali, missingFor, versionText } from '../addon-model/addon-labels';
import { ClusterAddons } from './cluster-addons';
import { InstalledAddons } from './installed-addons';
import { ChartRepositories } from './chart-repositories';
import { ReleaseDetails } from './release-details';

@Component({
  selector: 'sw-addons-page',
  imports: [Breadcrumbs, ChartRepositories, InstalledAddons, NoCluster, ReleaseDetails, RouterLink, UI],
  providers: [ClusterAddons],
  templateUrl: './addons-page.html',
  styleUrl: './addons-page.scss',
})
export class AddonsPage extends OfCluster {
  private readonly router = inject(Router);
  protected readonly addons = inject(ClusterAddons);

  /** From the URL: `namespace/release` of the release shown in detail. */
  readonly release = input<string>();

  protected readonly crumbs = clusterCrumbs(this.name, this.key, () => $localize`Addons`);
  protected readonly text = signal('');
  protected readonly offered = computed(() =>
    filterAddons(this.addons.catalog()?.addons ?? [], this.text().trim(), this.category()),
  );
  protected readonly category = signal('');
  protected readonly categories = computed(() =>
    [...new Set(this.addons.catalog()?.addons.map(({ category }) => category))].sort(),
  );
  protected readonly showsCatalog = computed(
    () => !this.addons.runs() || this.addons.installed() !== null || this.addons.unknown() !== null,
  );
  protected readonly shown = computed(() => {
    const [namespace, release] = this.release()?.split('/') ?? [];
    return namespace && release ? { namespace, release } : null;
  });
  protected readonly states = ADDON_STATES;
  protected readonly missingFor = missingFor;
  protected readonly titlesOf = (addons: readonly AddonDto[]): string =>
    formatList(addons.map(({ title }) => title));
  protected readonly versionOf = versionText;
  protected readonly isKiali = (addon: AddonDto): boolean =>
    isKiali({ chart: addon.chart, addon: addon.name });

  constructor() {
    super();
    effect(() => this.addons.cluster.set(this.cluster()));
  }

  protected choose({ release, namespace }: ReleaseDto): void {
    const shown = this.shown();
    const again = shown?.release === release && shown.namespace === namespace;
    this.showRelease(again ? null : `${namespace}/${release}`);
  }

  protected chooseAddon({ installed_release: release, installed_namespace: namespace }: AddonDto): void {
    if (release !== null && namespace !== null) this.showRelease(`${namespace}/${release}`);
  }

  protected showRelease(release: string | null): void {
    void this.router.navigate([], { queryParams: { release }, queryParamsHandling: 'merge' });
  }
}
