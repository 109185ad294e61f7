import { computed, DestroyRef, DOCUMENT, inject, Injectable, resource } from '@angular/core';
import { Router } from '@angular/router';
import { clusterPage, type ClusterKey } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { ClustersStore, sameCluster } from '../../shared/live/clusters-store';
import { PAGE_SESSION } from '../../shared/session/page-session';
import { SignOut } from '../../shared/session/sign-out';
import { Theme } from '../../shared/theme';
import type { IconName } from '../../shared/ui/icon';
import { stateStyle } from '../../shared/ui/state-styles';
import { CloneCluster } from '../clone/clone-cluster';
import { actionsOf, hasKubeconfig } from '../cluster-actions/available-actions';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { ClusterDownloads } from '../cluster-actions/cluster-downloads';
import { CreateCluster } from '../create/create-cluster';
import { JobScreen } from '../job-screen/job-screen';
import { kindKey, kindTitle } from '../resources/kind-labels';
import { type PageAddress, tablePage } from '../resources/resource-address';
import { ResourcesApi } from '../resources/resources-api';
import { Shortcuts } from '../shell/shortcuts';
import type { PaletteEntry } from './palette-entry';

interface PageEntry {
  path: string;
  text: string;
  icon: IconName;
  words: string;
}

const PAGES: readonly PageEntry[] = [
  { path: '/clusters', text: $localize`Clusters`, icon: 'layers', words: 'list home start' },
  { path: '/journal', text: $localize`Journal`, icon: 'clock', words: 'history audit what happened' },
  { path: '/jobs', text: $localize`Jobs`, icon: 'pulse', words: 'work progress log cancel' },
  {
    path: '/diagnostics',
    text: $localize`Diagnostics`,
    icon: 'info',
    words: 'checks engine docker podman problems',
  },
  {
    path: '/diagnostics/images',
    text: $localize`Images and disk`,
    icon: 'box',
    words: 'prune volumes space load',
  },
  { path: '/documentation', text: $localize`Documentation`, icon: 'book', words: 'readme help manual' },
];
const SESSIONS: PageEntry = {
  path: '/sessions',
  text: $localize`Sessions and access tokens`,
  icon: 'key',
  words: 'signed in devices api tokens',
};
const ACCESS_TOKENS: PageEntry = {
  path: '/sessions',
  text: $localize`Access tokens`,
  icon: 'key',
  words: 'api scripts programs bearer',
};

/** Pages that open in a new window. */
const WINDOWS: readonly PageEntry[] = [
  { path: '/log-board', text: $localize`Log board`, icon: 'logs', words: 'logs pods' },
  { path: '/docs', text: $localize`API documentation`, icon: 'braces', words: 'swagger openapi rest' },
  { path: '/redoc', text: $localize`API documentation (Redoc)`, icon: 'book', words: 'redoc openapi rest' },
];

/** All entries of the palette. Provided by the palette, so that clusters update only while it is open. */
@Injectable()
export class PaletteEntries {
  private readonly actions = inject(ClusterActions);
  private readonly clones = inject(CloneCluster);
  private readonly clusters = inject(ClustersStore);
  private readonly create = inject(CreateCluster);
  private readonly document = inject(DOCUMENT);
  private readonly downloads = inject(ClusterDownloads);
  private readonly resources = inject(ResourcesApi);
  private readonly router = inject(Router);
  private readonly screen = inject(JobScreen);
  private readonly session = inject(PAGE_SESSION);
  private readonly shortcuts = inject(Shortcuts);
  private readonly signOut = inject(SignOut);
  private readonly theme = inject(Theme);

  /** The cluster of the current page. */
  readonly here = computed(() => this.clusterOfPage());
  readonly entries = computed<readonly PaletteEntry[]>(() => {
    const here = this.here();
    return [
      ...this.clusters.clusters().flatMap((cluster) => this.ofCluster(cluster, here)),
      ...this.pages(),
      ...this.general(),
      ...this.kindsHere(here),
    ];
  });
  private readonly kinds = resource({
    params: () => {
      const here = this.here();
      return here?.state === 'running' || here?.state === 'degraded'
        ? { name: here.name, runtime: here.runtime }
        : undefined;
    },
    loader: ({ params }) => this.resources.types(params),
  });
  /** Why entries may be missing. */
  readonly notes = computed<readonly string[]>(() => {
    const problem = this.clusters.live.problem();
    return problem ? [$localize`The list of clusters may be incomplete. ${problem.message}:reason:`] : [];
  });

  constructor() {
    this.clusters.live.watch(inject(DestroyRef));
  }

  /** Opens the page of an object or of a kind. */
  show(address: PageAddress): Promise<void> {
    return this.go(address.path, address.query);
  }

  /** Kinds of the current cluster. The page itself shows why they could not be loaded. */
  private kindsHere(here: ClusterDto | undefined): PaletteEntry[] {
    if (!here || !this.kinds.hasValue()) return [];
    return this.kinds
      .value()
      .filter(({ verbs }) => verbs.includes('list'))
      .map((type) => ({
        id: `kind ${kindKey(type)}`,
        group: 'kinds' as const,
        icon: 'box' as const,
        text: kindTitle(type),
        detail: type.group === 'core' ? type.version : `${type.group}/${type.version}`,
        words: [type.plural, type.kind, ...type.short_names].join(' '),
        searchOnly: true,
        run: () => this.show(tablePage(here, type)),
      }));
  }

  private clusterOfPage(): ClusterDto | undefined {
    const address = this.addressed();
    const named = address ? this.clusters.named(address.name, address.runtime) : [];
    return named.length === 1 ? named[0] : undefined;
  }

  /** The cluster in the URL, whether it exists or not. */
  private addressed(): { name: string; runtime: string | null } | undefined {
    const address = this.router.parseUrl(this.router.url);
    const [root, name] = address.root.children['primary']?.segments.map(({ path }) => path) ?? [];
    if (root !== 'cluster' || name === undefined) return undefined;
    return { name, runtime: address.queryParamMap.get('runtime') };
  }

  private pages(): PaletteEntry[] {
    const pages = [...PAGES, this.session === 'open' ? ACCESS_TOKENS : SESSIONS];
    return [
      ...pages.map(({ path, text, icon, words }) => ({
        id: `page ${path}`,
        group: 'pages' as const,
        icon,
        text,
        detail: '',
        words: `page ${words}`,
        run: () => this.go([path]),
      })),
      ...WINDOWS.map(({ path, text, icon, words }) => ({
        id: `page ${path}`,
        group: 'pages' as const,
        icon,
        text,
        detail: $localize`New window`,
        words,
        run: () => this.document.defaultView?.open(path, '_blank', 'noopener'),
      })),
    ];
  }

  private general(): PaletteEntry[] {
    const action = (
      id: string,
      icon: IconName,
      text: string,
      words: string,
      run: () => unknown,
    ): PaletteEntry => ({
      id: `do ${id}`,
      group: 'actions',
      icon,
      text,
      detail: '',
      words,
      run,
    });
    return [
      action('create', 'plus', $localize`Create cluster`, 'new add make', () => this.create.open()),
      action('shortcuts', 'info', $localize`Keyboard shortcuts`, 'keys help', () => this.shortcuts.open()),
      action('light', 'sun', $localize`Light theme`, 'colors appearance', () => this.theme.choose('light')),
      action('dark', 'moon', $localize`Dark theme`, 'colors appearance', () => this.theme.choose('dark')),
      action('system', 'screen', $localize`System theme`, 'colors appearance', () =>
        this.theme.choose('system'),
      ),
      ...(this.session === 'open'
        ? []
        : [
            action('sign-out', 'sign-out', $localize`Sign out`, 'leave log out', () =>
              this.signOut.signOut(),
            ),
          ]),
    ];
  }

  /** The page of a cluster and its actions. Actions of other clusters are search-only. */
  private ofCluster(cluster: ClusterDto, here: ClusterDto | undefined): PaletteEntry[] {
    const { name, runtime, active_job_id: job } = cluster;
    const isHere = here !== undefined && sameCluster(cluster, here);
    const entry = (
      id: string,
      icon: IconName,
      text: string,
      run: () => unknown,
      words = '',
    ): PaletteEntry => ({
      id: `${id} ${runtime}/${name}`,
      group: isHere ? 'here' : 'actions',
      icon,
      text,
      detail: isHere ? '' : runtime,
      words: isHere ? `${words} ${name}` : words,
      searchOnly: !isHere,
      run,
    });
    const { path, query } = clusterPage(cluster);
    const below = (part: string) => () => this.go([...path, part], query);
    return [
      {
        id: `cluster ${runtime}/${name}`,
        group: 'clusters',
        icon: 'layers',
        text: name,
        detail: `${stateStyle(cluster.state).word}, ${runtime}`,
        words: 'cluster open',
        run: () => this.go(path, query),
      },
      ...(job === null
        ? []
        : [entry('watch', 'pulse', $localize`View job of ${name}:cluster:`, () => this.screen.open(job))]),
      ...actionsOf(cluster).map((offer) =>
        entry(offer.action, offer.icon, `${offer.text} ${name}${offer.asks ? '…' : ''}`, () =>
          this.run(offer.action, cluster),
        ),
      ),
      ...(cluster.state === 'running' || cluster.state === 'degraded'
        ? [
            entry(
              'apply',
              'arrow-up',
              $localize`Apply YAML to ${name}:cluster:`,
              below('apply'),
              'kubectl manifest create',
            ),
          ]
        : []),
      entry(
        'addons',
        'plus',
        $localize`Addons of ${name}:cluster:`,
        below('addons'),
        'helm charts install kiali',
      ),
      entry('config', 'braces', $localize`Config of ${name}:cluster:`, below('config'), 'edit yaml'),
      ...(cluster.state === 'unknown' || cluster.state === 'deleting'
        ? []
        : [
            entry(
              'clone',
              'copy',
              $localize`Clone ${name}:cluster:…`,
              () => this.clones.open(cluster),
              'duplicate',
            ),
          ]),
      ...(hasKubeconfig(cluster) && cluster.state !== 'unknown'
        ? [
            entry('kubeconfig', 'key', $localize`Download kubeconfig of ${name}:cluster:`, () =>
              this.downloads.kubeconfig(cluster),
            ),
          ]
        : []),
      entry(
        'journal',
        'clock',
        $localize`Journal of ${name}:cluster:`,
        () => this.go(['/journal'], { cluster: name }),
        'history',
      ),
    ];
  }

  private async run(action: Parameters<ClusterActions['run']>[0], cluster: ClusterDto): Promise<void> {
    const gone = (await this.actions.run(action, cluster)) && action === 'delete';
    const shown = this.addressed();
    // Compared with the URL: the cluster may have left the list before the response arrived.
    if (gone && shown?.name === cluster.name && (shown.runtime ?? cluster.runtime) === cluster.runtime) {
      await this.go(['/clusters']);
    }
  }

  /** Moves the focus to the new page. */
  private async go(path: string[], query?: Partial<ClusterKey> | Record<string, string>): Promise<void> {
    await this.router.navigate(path, query ? { queryParams: query } : {});
    this.document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
}
