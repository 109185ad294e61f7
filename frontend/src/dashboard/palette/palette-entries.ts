import { computed, inject, Injectable, untracked } from '@angular/core';
import { clusterKey, clusterPage, isUp } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { Clock } from '../../shared/browser/clock';
import { ClustersStore, sameCluster } from '../../shared/live/clusters-store';
import { ProblemsStore } from '../../shared/live/problems-store';
import { apiResource } from '../../shared/loading/api-resource';
import { actionEntry, CommonEntries, type PageRow } from '../../shared/palette/common-entries';
import type { IconName } from '../../shared/ui/icon';
import { SessionRights } from '../../shared/session/may-change';
import { stateStyle } from '../../shared/ui/state-styles';
import { actionsOf, hasKubeconfig } from '../cluster-actions/available-actions';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { ClusterDownloads } from '../cluster-actions/cluster-downloads';
import { PageCluster } from '../cluster-context/page-cluster';
import { CreateCluster } from '../create/create-cluster';
import { ExternalClusters } from '../external/external-clusters';
import { isExternal } from '../external/external-labels';
import { JobScreen } from '../job-handle/job-screen';
import { kindKey, kindTitle } from '../resource-model/kind-labels';
import { problemId, problemPage, problemSummary } from '../resource-model/problem-labels';
import { idOf, isSame, type KeptList, type KeptObject, readKept } from '../resources/kept-objects';
import { objectPage, tablePage } from '../resource-model/resource-address';
import { Shells } from '../shells/shells';
import type { PaletteEntry } from '../../shared/palette/palette-entry';

const PAGES: readonly PageRow[] = [
  ['/clusters', 'layers', $localize`Clusters`, 'list home start'],
  ['/journal', 'clock', $localize`Journal`, 'history audit what happened'],
  ['/jobs', 'pulse', $localize`Jobs`, 'work progress log cancel'],
  ['/diagnostics', 'info', $localize`Diagnostics`, 'checks engine docker podman problems'],
  ['/diagnostics/images', 'box', $localize`Images and disk`, 'prune volumes space load'],
  ['/documentation', 'book', $localize`Documentation`, 'readme help manual'],
];
const LOG_BOARD: PageRow = ['/log-board', 'logs', $localize`Log board`, 'logs pods'];

const PODS = { group: 'core', version: 'v1', plural: 'pods' };

/** As many as the palette shows of a group. */
const MAX_RECENT = 7;

/** All entries of the palette. Provided by the palette, so that clusters update only while it is open. */
@Injectable()
export class PaletteEntries {
  private readonly actions = inject(ClusterActions);
  private readonly clusters = inject(ClustersStore);
  private readonly common = inject(CommonEntries);
  private readonly create = inject(CreateCluster);
  private readonly downloads = inject(ClusterDownloads);
  private readonly external = inject(ExternalClusters);
  private readonly clock = inject(Clock);
  private readonly problems = inject(ProblemsStore);
  private readonly page = inject(PageCluster);
  private readonly screen = inject(JobScreen);
  private readonly session = inject(SessionRights);
  private readonly shells = inject(Shells);

  readonly here = this.page.cluster;
  readonly entries = computed<readonly PaletteEntry[]>(() => {
    const here = this.here();
    return [
      ...this.wrong(here),
      ...this.clusters.clusters().flatMap((cluster) => this.ofCluster(cluster, here)),
      ...this.common.pages(PAGES, LOG_BOARD),
      ...(this.session.mayChange() ? this.additions() : []),
      ...this.common.actions(),
      ...this.kindsHere(here),
    ];
  });
  /** Favorites and recent objects of clusters that exist; in a cluster, only its own. Read once, as the palette opens. */
  readonly kept = computed<readonly PaletteEntry[]>(() => {
    const [favorites, recent] = [this.keptIn('favorites'), this.keptIn('recent')];
    return [
      ...favorites.map((object) => this.ofObject('favorites', object)),
      ...recent
        .filter((object) => !favorites.some((favorite) => isSame(favorite, object)))
        .slice(0, MAX_RECENT)
        .map((object) => this.ofObject('recent', object)),
    ];
  });
  private readonly kinds = apiResource('/api/v1/clusters/{name}/resources', () => {
    const here = this.here();
    return here && isUp(here) ? clusterKey(here) : undefined;
  });
  /** Why entries may be missing. */
  readonly notes = computed<readonly string[]>(() => {
    const problem = this.clusters.live.problem();
    return problem ? [$localize`The list of clusters may be incomplete. ${problem.message}:reason:`] : [];
  });

  constructor() {
    this.clusters.live.watch();
    this.problems.live.watch();
  }

  /** Problems of all clusters; in a cluster, its own first. */
  private wrong(here: ClusterDto | undefined): PaletteEntry[] {
    const all = this.problems.live.value() ?? [];
    const own = here ? (this.problems.of(here) ?? []) : [];
    // Not each second.
    const now = untracked(() => this.clock.now());
    return [...own, ...all.filter((problem) => !own.includes(problem))].map((problem) => ({
      id: `problem ${problemId(problem)}`,
      group: 'problems',
      icon: 'warning',
      state: 'failed',
      text: problem.name,
      detail: [problemSummary(problem, now), problem.kind, problem.namespace, problem.cluster]
        .filter((part) => part !== null)
        .join(', '),
      words: `wrong broken problems attention ${problem.message}`,
      run: () => this.common.go(problemPage(problem)),
    }));
  }

  private additions(): PaletteEntry[] {
    return [
      actionEntry('plus', $localize`Create cluster`, 'new add make', () => this.create.open()),
      actionEntry('key', $localize`Add cluster from kubeconfig…`, 'context external import', () =>
        this.external.add(null),
      ),
    ].map((entry) => ({ ...entry, needsServer: true }));
  }

  private keptIn(list: KeptList): KeptObject[] {
    const here = this.here();
    return readKept(list).filter(({ cluster: name, runtime }) =>
      here
        ? sameCluster(here, { name, runtime })
        : this.clusters.clusters().some((one) => sameCluster(one, { name, runtime })),
    );
  }

  private ofObject(group: KeptList, object: KeptObject): PaletteEntry {
    const { cluster, runtime, kind, namespace, name } = object;
    const isHere = this.here() !== undefined;
    return {
      id: `${group} ${idOf(object)}`,
      group,
      icon: group === 'favorites' ? 'star' : 'clock',
      text: name,
      detail: [kind, namespace, isHere ? null : cluster].filter((part) => part !== null).join(', '),
      run: () => this.common.go(objectPage({ name: cluster, runtime }, object)),
    };
  }

  /** Kinds of the current cluster. The page itself shows why they could not be loaded. */
  private kindsHere(here: ClusterDto | undefined): PaletteEntry[] {
    if (!here) return [];
    return (this.kinds.current() ?? [])
      .filter(({ verbs }) => verbs.includes('list'))
      .map((type) => ({
        id: `kind ${kindKey(type)}`,
        group: 'kinds' as const,
        icon: 'box' as const,
        text: kindTitle(type),
        detail: type.group === 'core' ? type.version : `${type.group}/${type.version}`,
        words: [type.plural, type.kind, ...type.short_names].join(' '),
        searchOnly: true,
        run: () => this.common.go(tablePage(here, type)),
      }));
  }

  /** The page of a cluster and its actions. Actions of other clusters are search-only. */
  private ofCluster(cluster: ClusterDto, here: ClusterDto | undefined): PaletteEntry[] {
    const { name, runtime, active_job_id: job } = cluster;
    const mayChange = cluster.external?.changes_allowed !== false;
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
    const acting: typeof entry = (...values) => ({ ...entry(...values), needsServer: true });
    const below = (part: string) => () => this.common.go(clusterPage(cluster, part));
    const isRunning = isUp(cluster);
    const entries: (PaletteEntry | false)[] = [
      {
        id: `cluster ${runtime}/${name}`,
        group: 'clusters',
        icon: 'layers',
        state: cluster.state,
        text: name,
        detail: `${stateStyle(cluster.state).word}, ${runtime}`,
        words: 'cluster open',
        run: () => this.common.go(clusterPage(cluster)),
      },
      job !== null &&
        entry('watch', 'pulse', $localize`View job of ${name}:cluster:`, () => this.screen.open(job)),
      ...actionsOf(cluster).map(({ action, icon, text, confirms }) =>
        acting(action, icon, `${text} ${name}${confirms ? '…' : ''}`, () => this.run(action, cluster)),
      ),
      // In its pages, all kinds are listed.
      isRunning &&
        !isHere &&
        entry('pods', 'box', $localize`Pods of ${name}:cluster:`, () =>
          this.common.go(tablePage(cluster, PODS)),
        ),
      ...this.ofExternal(cluster, acting),
      isRunning &&
        mayChange &&
        acting(
          'apply',
          'arrow-up',
          $localize`Apply YAML to ${name}:cluster:`,
          below('apply'),
          'kubectl manifest create',
        ),
      ...(isRunning && isHere
        ? cluster.nodes.filter(({ role, state }) => role !== 'external-load-balancer' && state === 'running')
        : []
      ).map(({ name: node }) => ({
        ...acting(`shell-${node}`, 'terminal', $localize`Shell ${node}:node:`, () =>
          this.shells.start({ key: { name, runtime }, target: 'node', node }),
        ),
        searchOnly: true,
      })),
      entry(
        'addons',
        'plus',
        $localize`Addons of ${name}:cluster:`,
        below('addons'),
        'helm charts install kiali',
      ),
      !cluster.external &&
        entry('config', 'braces', $localize`Config of ${name}:cluster:`, below('config'), 'edit yaml'),
      cluster.state !== 'unknown' &&
        cluster.state !== 'deleting' &&
        !cluster.external &&
        acting(
          'clone',
          'copy',
          $localize`Clone ${name}:cluster:…`,
          () => this.actions.clone(cluster),
          'duplicate',
        ),
      hasKubeconfig(cluster) &&
        cluster.state !== 'unknown' &&
        acting('kubeconfig', 'key', $localize`Download kubeconfig of ${name}:cluster:`, () =>
          this.downloads.kubeconfig(cluster),
        ),
      entry(
        'journal',
        'clock',
        $localize`Journal of ${name}:cluster:`,
        () => this.common.go(`/journal?cluster=${encodeURIComponent(name)}`),
        'history',
      ),
    ];
    // A session that may only read has no actions.
    const isAllowed = ({ needsServer }: PaletteEntry): boolean => this.session.mayChange() || !needsServer;
    return entries.filter((each) => each !== false).filter(isAllowed);
  }

  private ofExternal(
    cluster: ClusterDto,
    acting: (id: string, icon: IconName, text: string, run: () => unknown, words?: string) => PaletteEntry,
  ): PaletteEntry[] {
    if (!isExternal(cluster)) return [];
    const { name } = cluster;
    return [
      cluster.external.changes_allowed
        ? acting('changes', 'not', $localize`Turn changes off in ${name}:cluster:`, () =>
            this.external.turnChangesOff(cluster),
          )
        : acting('changes', 'check', $localize`Allow changes in ${name}:cluster:…`, () =>
            this.external.allowChanges(cluster),
          ),
      acting('remove', 'minus', $localize`Remove ${name}:cluster:…`, () => this.external.remove(cluster)),
    ];
  }

  private async run(action: Parameters<ClusterActions['run']>[0], cluster: ClusterDto): Promise<void> {
    if ((await this.actions.run(action, cluster)) && action === 'delete') await this.leave(cluster);
  }

  /** Leaves the page of a cluster that is gone. */
  private async leave(cluster: ClusterDto): Promise<void> {
    const shown = this.page.address();
    // Compared with the URL: the cluster may have left the list before the response arrived.
    if (shown?.name === cluster.name && (shown.runtime ?? cluster.runtime) === cluster.runtime) {
      await this.common.go('/clusters');
    }
  }
}
