import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, computed, inject, input, output } from '@angular/core';
import { RouterLink } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { Icon } from '../../shared/ui/icon';
import { CloneCluster } from '../clone/clone-cluster';
import { JobScreen } from '../job-screen/job-screen';
import { actionsOf, type ClusterAction, hasKubeconfig } from './available-actions';
import { ClusterActions } from './cluster-actions';
import { ClusterDownloads } from './cluster-downloads';

/** All that can be done with a cluster and has no button of its own beside the menu. */
@Component({
  selector: 'sw-cluster-menu',
  imports: [CdkMenu, CdkMenuItem, CdkMenuTrigger, Icon, RouterLink],
  template: `
    <button
      type="button"
      class="btn icon"
      [class.small]="inRow()"
      [class.quiet]="inRow()"
      title="More"
      [attr.aria-label]="'More for ' + cluster().name"
      [tabindex]="tabStop() ? 0 : -1"
      [cdkMenuTriggerFor]="menu"
    >
      <sw-icon name="dots" />
    </button>
    <ng-template #menu>
      <div cdkMenu class="menu">
        @if (inRow()) {
          <a cdkMenuItem [routerLink]="page().path" [queryParams]="page().query">
            <sw-icon name="arrow-right" />Open
          </a>
        }
        @if (cluster().active_job_id; as job) {
          <button type="button" cdkMenuItem (cdkMenuItemTriggered)="watch(job)">
            <sw-icon name="pulse" />Watch the job
          </button>
        }
        @for (offer of offers(); track offer.action) {
          <button type="button" cdkMenuItem [title]="offer.says" (cdkMenuItemTriggered)="run(offer.action)">
            <sw-icon [name]="offer.icon" />{{ offer.text }}{{ offer.asks ? '…' : '' }}
          </button>
        }
        @if (clonable()) {
          <button type="button" cdkMenuItem (cdkMenuItemTriggered)="clones.open(cluster())">
            <sw-icon name="copy" />Clone…
          </button>
        }
        @if (kubeconfig()) {
          <button type="button" cdkMenuItem (cdkMenuItemTriggered)="downloads.kubeconfig(cluster())">
            <sw-icon name="key" />Download the kubeconfig
          </button>
        }
        @if (cluster().nodes_kept && reachable()) {
          <button type="button" cdkMenuItem (cdkMenuItemTriggered)="downloads.nodeLogs(cluster())">
            <sw-icon name="download" />Download node logs
          </button>
        }
        @if (deletable()) {
          <hr />
          <button type="button" class="danger" cdkMenuItem (cdkMenuItemTriggered)="run('delete')">
            <sw-icon name="trash" />Delete…
          </button>
        }
      </div>
    </ng-template>
  `,
})
export class ClusterMenu {
  private readonly screen = inject(JobScreen);
  private readonly actions = inject(ClusterActions);
  protected readonly downloads = inject(ClusterDownloads);
  protected readonly clones = inject(CloneCluster);
  readonly cluster = input.required<ClusterDto>();
  /** Stands in a row of the list: smaller, and leads to the cluster's page. */
  readonly inRow = input(false);
  /** Whether the tab key gets to it. */
  readonly tabStop = input(true);
  /** Actions that have a button of their own beside it. */
  readonly beside = input<readonly ClusterAction[]>([]);
  /** The list could not be read any more: nothing can be asked for. */
  readonly stale = input(false);
  /** The cluster was deleted from here. */
  readonly deleted = output();

  protected readonly page = computed(() => clusterPage(this.cluster()));
  protected readonly reachable = computed(() => !this.stale() && this.cluster().state !== 'unknown');
  private readonly all = computed(() => (this.stale() ? [] : actionsOf(this.cluster())));
  protected readonly offers = computed(() =>
    this.all().filter(({ action }) => action !== 'delete' && !this.beside().includes(action)),
  );
  protected readonly deletable = computed(() => this.all().some(({ action }) => action === 'delete'));
  protected readonly kubeconfig = computed(() => this.reachable() && hasKubeconfig(this.cluster()));

  /** Its config is there from the moment that it is asked for, until it is deleted. */
  protected readonly clonable = computed(() => this.reachable() && this.cluster().state !== 'deleting');

  protected watch(job: number): void {
    void this.screen.open(job);
  }

  protected async run(action: ClusterAction): Promise<void> {
    const done = await this.actions.run(action, this.cluster());
    if (done && action === 'delete') this.deleted.emit();
  }
}
