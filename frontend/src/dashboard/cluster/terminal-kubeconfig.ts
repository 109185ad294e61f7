import { Component, computed, inject, input, signal } from '@angular/core';
import { Api, clusterKey, type ClusterKey } from '../../shared/api/api';
import type { KubeconfigMergeDto } from '../../shared/api/api-types';
import { apiResource } from '../../shared/loading/api-resource';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';

/** Whether the user's own kubeconfig contains the cluster, with actions to add and remove it. */
@Component({
  selector: 'sw-terminal-kubeconfig',
  imports: [UI],
  template: `
    @if (state(); as state) {
      @if (state.problem; as problem) {
        <p role="alert"><sw-icon name="warning" [size]="14" />{{ problem }}</p>
        <div>
          <button i18n class="btn small" (click)="read.reload()">
            <sw-icon name="refresh" />Check again
          </button>
        </div>
      } @else if (state.merged) {
        <p role="status">
          @if (state.current) {
            <ng-container i18n
              >In <code>{{ state.file }}</code>, as the current context.</ng-container
            >
          } @else {
            <ng-container i18n
              >In <code>{{ state.file }}</code>.</ng-container
            >
          }
          @if (state.outdated) {
            <ng-container i18n>The entry is outdated: the cluster has a new address or CA.</ng-container>
          }
          <ng-container i18n>Deleting the cluster removes the entry.</ng-container>
        </p>
        <sw-command-line [text]="'kubectl --context ' + state.context + ' get nodes'" />
        <div class="flow tight">
          @if (state.outdated) {
            <button data-writes i18n class="btn small" [disabled]="working()" (click)="add(state.current)">
              Update entry
            </button>
          } @else if (!state.current) {
            <button data-writes i18n class="btn small" [disabled]="working()" (click)="add(true)">
              Set as current context
            </button>
          }
          <button data-writes i18n class="btn small" [disabled]="working()" (click)="remove()">Remove</button>
        </div>
      } @else {
        <p i18n>
          Adds the context <code>{{ state.context }}</code> to <code>{{ state.file }}</code> for
          <code>kubectl</code> in every terminal. Other entries stay unchanged, and a backup is kept.
        </p>
        <label class="check" i18n>
          <input type="checkbox" [checked]="current()" (change)="current.set(!current())" />Set as current
          context
        </label>
        <div>
          <button data-writes i18n class="btn small" [disabled]="working()" (click)="add(current())">
            <sw-icon name="plus" />Add to my kubeconfig
          </button>
        </div>
      }
    } @else if (failure(); as reason) {
      <p i18n role="alert">Could not read your kubeconfig.</p>
      <p>{{ reason }}</p>
      <div>
        <button i18n class="btn small" (click)="read.reload()"><sw-icon name="refresh" />Check again</button>
      </div>
    } @else {
      <p i18n>Reading your kubeconfig …</p>
    }
  `,
  styleUrl: './cluster-access.scss',
  // The file may have changed in a terminal.
  host: { class: 'part', '(window:focus)': 'reload()' },
})
export class TerminalKubeconfig {
  private readonly api = inject(Api);
  private readonly toaster = inject(Toaster);
  readonly cluster = input.required<ClusterKey>();
  /** Reloads when this value changes. */
  readonly stamp = input.required<string>();

  protected readonly read = apiResource(
    '/api/v1/clusters/{name}/kubeconfig/merge',
    () => clusterKey(this.cluster()),
    { reloadOn: this.stamp, refresh: {} },
  );
  protected readonly state = this.read.value;
  protected readonly failure = computed(() => this.read.problem()?.message);
  protected readonly working = signal(false);
  protected readonly current = signal(false);

  protected reload(): void {
    if (!this.working()) this.read.reload();
  }

  protected async add(setCurrent: boolean): Promise<void> {
    await this.change(
      () =>
        this.api.send('POST /api/v1/clusters/{name}/kubeconfig/merge', clusterKey(this.cluster()), {
          set_current: setCurrent,
        }),
      $localize`Could not add the cluster to your kubeconfig.`,
    );
  }

  protected async remove(): Promise<void> {
    await this.change(
      () => this.api.send('DELETE /api/v1/clusters/{name}/kubeconfig/merge', clusterKey(this.cluster())),
      $localize`Could not remove the cluster from your kubeconfig.`,
    );
  }

  private async change(work: () => Promise<KubeconfigMergeDto>, title: string): Promise<void> {
    this.working.set(true);
    try {
      this.read.set(await work());
    } catch (error) {
      this.toaster.problem(error, title);
      this.read.reload();
    } finally {
      this.working.set(false);
    }
  }
}
