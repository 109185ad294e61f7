import { Component, computed, effect, inject, input, signal } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { AddonDto, ReleaseDto } from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { SlashFocus } from '../../shared/ui/slash-focus';
import { State } from '../../shared/ui/state';
import { chosenCluster } from '../cluster/chosen-cluster';
import { EngineChoice } from '../cluster/engine-choice';
import { ListPlace } from '../clusters/list-place';
import { Breadcrumbs } from '../shell/breadcrumbs';
import { ADDON_LOOKS, isKiali, matching, missingFor, versionText } from './addon-words';
import { AddonsJob } from './addons-job';
import { ClusterAddons } from './cluster-addons';
import { InstalledAddons } from './installed-addons';
import { OwnCharts } from './own-charts';
import { ReleaseDetails } from './release-details';

/** Addons of a cluster: what is installed, what there is to install, and charts of one's own. */
@Component({
  selector: 'sw-addons-page',
  imports: [
    AddonsJob,
    Breadcrumbs,
    EngineChoice,
    Icon,
    InstalledAddons,
    Notice,
    OwnCharts,
    Placeholder,
    ReleaseDetails,
    RouterLink,
    SkeletonRows,
    SlashFocus,
    State,
  ],
  providers: [ClusterAddons],
  templateUrl: './addons-page.html',
  styleUrl: './addons-page.scss',
})
export class AddonsPage {
  private readonly clusters = inject(ClustersStore);
  private readonly place = inject(ListPlace);
  private readonly router = inject(Router);
  protected readonly addons = inject(ClusterAddons);

  /** From the address. */
  readonly name = input.required<string>();
  readonly runtime = input<string>();
  /** `namespace/release` of the one that is shown. */
  readonly release = input<string>();

  private readonly found = chosenCluster(this.name, this.runtime);
  protected readonly choice = this.found.choice;
  protected readonly cluster = this.found.cluster;
  protected readonly live = this.clusters.live;
  protected readonly crumbs = computed(() => {
    const key = this.found.key();
    const { path, query } = key ? clusterPage(key) : { path: ['/cluster', this.name()], query: undefined };
    return [
      { text: 'Clusters', link: '/clusters', query: this.place.params },
      { text: this.name(), link: path, ...(query ? { query } : {}) },
      { text: 'Addons' },
    ];
  });
  protected readonly text = signal('');
  protected readonly offered = computed(() =>
    matching(this.addons.catalogue()?.addons ?? [], this.text().trim()),
  );
  protected readonly shown = computed(() => {
    const [namespace, release] = this.release()?.split('/') ?? [];
    return namespace && release ? { namespace, release } : null;
  });
  protected readonly looks = ADDON_LOOKS;
  protected readonly versionOf = versionText;
  protected readonly isKiali = (addon: AddonDto): boolean =>
    isKiali({ chart: addon.chart, addon: addon.name });

  constructor() {
    this.live.watch();
    effect(() => this.addons.show(this.cluster()));
  }

  protected missing(addon: AddonDto): AddonDto[] {
    return missingFor(addon, this.addons.catalogue()?.addons ?? []);
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

  protected tryAgain(): void {
    void this.live.refresh();
    void this.addons.refresh();
  }
}
