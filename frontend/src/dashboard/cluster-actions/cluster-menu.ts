import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, computed, inject, input, output } from '@angular/core';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { MenuItem } from '../../shared/ui/menu-item';
import { UI } from '../../shared/ui/ui';
import { ExternalClusters } from '../external/external-clusters';
import { isExternal } from '../external/external-labels';
import { JobScreen } from '../job-handle/job-screen';
import { actionsOf, type ClusterAction, hasKubeconfig } from './available-actions';
import { ClusterActions } from './cluster-actions';
import { ClusterDownloads } from './cluster-downloads';

@Component({
  selector: 'sw-cluster-menu',
  imports: [CdkMenu, CdkMenuItem, CdkMenuTrigger, MenuItem, UI],
  template: `
    <button
      swIconButton="dots"
      label="More actions for {{ cluster().name }}"
      i18n-label
      title="More actions"
      i18n-title
      [framed]="!inRow()"
      [large]="!inRow()"
      [tabindex]="tabStop() ? 0 : -1"
      [cdkMenuTriggerFor]="menu"
    ></button>
    <ng-template #menu>
      <div cdkMenu class="menu">
        @if (inRow()) {
          <a i18n cdkMenuItem [swLink]="page()"><sw-icon name="arrow-right" />Open</a>
        }
        @if (cluster().active_job_id; as job) {
          <button i18n swMenuItem="pulse" (chosen)="screen.open(job)">View job</button>
        }
        @for (offer of offers(); track offer.action) {
          <button data-writes [swMenuItem]="offer.icon" [title]="offer.tooltip" (chosen)="run(offer.action)">
            {{ offer.text }}{{ offer.confirms ? '…' : '' }}
          </button>
        }
        @if (shownExternal(); as cluster) {
          @if (cluster.external.needs_consent) {
            <button data-writes i18n swMenuItem="key" (chosen)="external.allowPlugin(cluster)">
              Allow plugin…
            </button>
          }
          <button i18n swMenuItem="refresh" (chosen)="external.check(cluster)">Check now</button>
          @if (cluster.external.changes_allowed) {
            <button data-writes i18n swMenuItem="not" (chosen)="external.turnChangesOff(cluster)">
              Turn changes off
            </button>
          } @else {
            <button data-writes i18n swMenuItem="check" (chosen)="external.allowChanges(cluster)">
              Allow changes…
            </button>
          }
          <button data-writes i18n swMenuItem="bookmark" (chosen)="external.edit(cluster)">
            Edit color and note…
          </button>
          <hr />
          <button data-writes i18n class="danger" swMenuItem="minus" (chosen)="external.remove(cluster)">
            Remove…
          </button>
        }
        @if (clonable()) {
          <button data-writes i18n swMenuItem="copy" (chosen)="actions.clone(cluster())">Clone…</button>
        }
        @if (kubeconfig()) {
          <button data-writes i18n swMenuItem="key" (chosen)="downloads.kubeconfig(cluster())">
            Download kubeconfig
          </button>
        }
        @if (cluster().nodes_kept && reachable()) {
          <button i18n swMenuItem="download" (chosen)="downloads.nodeLogs(cluster())">
            Download node logs
          </button>
        }
        @if (deletable()) {
          <hr />
          <button data-writes i18n class="danger" swMenuItem="trash" (chosen)="run('delete')">Delete…</button>
        }
      </div>
    </ng-template>
  `,
})
export class ClusterMenu {
  protected readonly screen = inject(JobScreen);
  protected readonly actions = inject(ClusterActions);
  protected readonly downloads = inject(ClusterDownloads);
  protected readonly external = inject(ExternalClusters);
  readonly cluster = input.required<ClusterDto>();
  /** In a row of the list: smaller, with a link to the cluster. */
  readonly inRow = input(false);
  readonly tabStop = input(true);
  /** Actions with their own buttons, which the menu omits. */
  readonly beside = input<readonly ClusterAction[]>([]);
  /** The list is outdated: no action is possible. */
  readonly stale = input(false);
  /** It was deleted. */
  readonly deleted = output();

  protected readonly page = computed(() => clusterPage(this.cluster()));
  protected readonly reachable = computed(() => !this.stale() && this.cluster().state !== 'unknown');
  private readonly all = computed(() => (this.stale() ? [] : actionsOf(this.cluster())));
  protected readonly offers = computed(() =>
    this.all().filter(({ action }) => action !== 'delete' && !this.beside().includes(action)),
  );
  protected readonly deletable = computed(() => this.all().some(({ action }) => action === 'delete'));
  protected readonly kubeconfig = computed(() => this.reachable() && hasKubeconfig(this.cluster()));

  /** The config is saved as soon as the creation is requested. */
  protected readonly clonable = computed(
    () => this.reachable() && !this.cluster().external && this.cluster().state !== 'deleting',
  );
  protected readonly shownExternal = computed(() => {
    const cluster = this.cluster();
    return !this.stale() && isExternal(cluster) ? cluster : undefined;
  });

  protected async run(action: ClusterAction): Promise<void> {
    const done = await this.actions.run(action, this.cluster());
    if (done && action === 'delete') this.deleted.emit();
  }
}
