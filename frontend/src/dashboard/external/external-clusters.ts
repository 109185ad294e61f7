import { inject, Service } from '@angular/core';
import { Router } from '@angular/router';
import { Api } from '../../shared/api/api';
import type { ClusterDto, ContextDto, HistoryScopeDto } from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';
import { Confirm } from '../../shared/ui/confirm';
import { Dialogs } from '../../shared/ui/dialogs';
import { Toaster } from '../../shared/ui/toaster';
import { ListPlace } from '../cluster-context/list-place';
import { PageCluster } from '../cluster-context/page-cluster';
import {
  allowQuestion,
  type ExternalCluster,
  isExternal,
  removeQuestion,
  requestedHistory,
  scopeText,
} from './external-labels';

const ONE = '/api/v1/external-clusters/{name}';

/** Adds, changes and removes clusters of kubeconfigs, with the dialogs for it. Shows errors. */
@Service()
export class ExternalClusters {
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly confirm = inject(Confirm);
  private readonly dialogs = inject(Dialogs);
  private readonly page = inject(PageCluster);
  private readonly place = inject(ListPlace);
  private readonly router = inject(Router);
  private readonly toaster = inject(Toaster);

  /** @param context null for a kubeconfig that the user pastes or uploads */
  async add(context: ContextDto | null): Promise<void> {
    const added = await this.dialogs.open<ClusterDto>(
      () => import('./add-cluster-dialog').then((file) => file.AddClusterDialog),
      { data: { context }, width: '600px' },
    );
    if (!added) return;
    await this.clusters.live.reload();
    if (isExternal(added) && added.external.needs_consent) await this.allowPlugin(added);
    else this.toaster.done($localize`Added ${added.name}:cluster:.`);
  }

  async edit(cluster: ExternalCluster): Promise<void> {
    const changed = await this.dialogs.open<ClusterDto>(
      () => import('./add-cluster-dialog').then((file) => file.AddClusterDialog),
      { data: { context: null, cluster }, width: '600px' },
    );
    if (changed) await this.clusters.live.reload();
  }

  /** Shows the command of the plugin, and allows exactly this one. */
  async allowPlugin({ name }: ExternalCluster): Promise<void> {
    const allowed = await this.dialogs.open<ClusterDto>(
      () => import('./consent-dialog').then((file) => file.ConsentDialog),
      { data: { name }, width: '640px' },
    );
    if (allowed) await this.clusters.live.reload();
  }

  async allowChanges(cluster: ExternalCluster): Promise<void> {
    const { name, external } = cluster;
    if (!(await this.confirm.ask(allowQuestion(cluster)))) return;
    // As the dialog showed it: if it leads elsewhere now, the server refuses.
    const { identity } = external;
    await this.change($localize`Could not allow changes in ${name}:cluster:.`, () =>
      this.api.send(`PATCH ${ONE}`, { name }, { changes_allowed: true, identity }),
    );
  }

  async turnChangesOff({ name }: ExternalCluster): Promise<void> {
    await this.change($localize`Could not turn changes in ${name}:cluster: off.`, () =>
      this.api.send(`PATCH ${ONE}`, { name }, { changes_allowed: false }),
    );
  }

  /** Stores a namespace that the user typed, where the server does not list them. */
  async addNamespace({ name, external }: ExternalCluster, namespace: string): Promise<boolean> {
    const namespaces = [...new Set([...external.namespaces, namespace])];
    return await this.change($localize`Could not save namespace ${namespace}:namespace:.`, () =>
      this.api.send(`PATCH ${ONE}`, { name }, { namespaces }),
    );
  }

  /** Opens the dialog that chooses Pods whose log lines are stored from now on. @param namespace offered first */
  async storeLines({ name }: ExternalCluster, namespace = ''): Promise<void> {
    const stored = await this.dialogs.open<HistoryScopeDto>(
      () => import('./store-lines-dialog').then((file) => file.StoreLinesDialog),
      { data: { name, namespace }, width: '560px' },
    );
    if (!stored) return;
    await this.clusters.live.reload();
    this.toaster.done($localize`Slipway now stores the lines of ${scopeText(stored)}:namespace:.`);
  }

  async stopStoring({ name, external }: ExternalCluster, scope: HistoryScopeDto): Promise<void> {
    const text = scopeText(scope);
    await this.change($localize`Could not remove ${text}:namespace:.`, async () => {
      const history = requestedHistory(external.history.filter((one) => scopeText(one) !== text));
      await this.api.send(`PATCH ${ONE}`, { name }, { history });
      this.toaster.done(
        $localize`Slipway no longer stores the lines of ${text}:namespace:. Stored lines stay for their retention.`,
      );
    });
  }

  /** Checks now whether the server responds. */
  async check({ name }: ExternalCluster): Promise<void> {
    await this.change($localize`Could not check ${name}:cluster:.`, () =>
      this.api.send(`POST ${ONE}/check`, { name }),
    );
  }

  /** Leaves its page, too. */
  async remove(cluster: ExternalCluster): Promise<void> {
    const { name, runtime } = cluster;
    const question = removeQuestion(cluster);
    if (!(await this.confirm.ask(question))) return;
    await this.change($localize`Could not remove ${name}:cluster:.`, async () => {
      await this.api.send(`DELETE ${ONE}`, { name, ...(question.option.checked && { logs: true }) });
      this.toaster.done($localize`Removed ${name}:cluster: from Slipway.`);
      // The list may have lost it before the response, and its page has then no parts that could react.
      const shown = this.page.address();
      if (shown?.name === name && (shown.runtime ?? runtime) === runtime) {
        await this.router.navigateByUrl(this.place.url);
      }
    });
  }

  /** Reads the clusters again also after a failure, which says that the page is outdated. */
  private async change(failure: string, work: () => Promise<unknown>): Promise<boolean> {
    const isDone = await this.toaster.attempt(failure, work);
    await this.clusters.live.reload();
    return isDone;
  }
}
