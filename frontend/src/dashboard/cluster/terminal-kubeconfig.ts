import { Component, effect, inject, input, signal, untracked } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { KubeconfigMergeDto } from '../../shared/api/api-types';
import { PageVisibility } from '../../shared/live/page-visibility';
import { CommandLine } from '../../shared/ui/command-line';
import { Icon } from '../../shared/ui/icon';
import { Toaster } from '../../shared/ui/toaster';

/** How a cluster stands in the user's own kubeconfig, and the way in and out. */
@Component({
  selector: 'sw-terminal-kubeconfig',
  imports: [CommandLine, Icon],
  template: `
    @if (state(); as state) {
      @if (state.problem; as problem) {
        <p role="alert"><sw-icon name="warning" [size]="14" />{{ problem }}</p>
        <button type="button" class="btn small" (click)="load()"><sw-icon name="refresh" />Look again</button>
      } @else if (state.merged) {
        <p role="status">
          It is in <code>{{ state.file }}</code>{{ state.current ? ', as the current context' : '' }}.
          @if (state.outdated) {
            What is there leads nowhere any more: the cluster has another address or authority.
          }
          Deleting the cluster takes it out.
        </p>
        <sw-command-line [text]="'kubectl --context ' + state.context + ' get nodes'" />
        <div class="acts">
          @if (state.outdated) {
            <button type="button" class="btn small" [disabled]="working()" (click)="add(state.current)">
              Renew it
            </button>
          } @else if (!state.current) {
            <button type="button" class="btn small" [disabled]="working()" (click)="add(true)">
              Make it the current context
            </button>
          }
          <button type="button" class="btn small" [disabled]="working()" (click)="take()">Take it out</button>
        </div>
      } @else {
        <p>
          Once it is in yours, <code>kubectl</code> knows it in every terminal. It goes into
          <code>{{ state.file }}</code> as <code>{{ state.context }}</code>; everything else there stays, and
          a backup is kept.
        </p>
        <label>
          <input type="checkbox" [checked]="current()" (change)="current.set(!current())" />
          Make it the current context
        </label>
        <div class="acts">
          <button type="button" class="btn small" [disabled]="working()" (click)="add(current())">
            <sw-icon name="plus" />Add to my kubeconfig
          </button>
        </div>
      }
    } @else if (failed()) {
      <p role="alert">Whether it is in your kubeconfig cannot be told now.</p>
      <button type="button" class="btn small" (click)="load()"><sw-icon name="refresh" />Look again</button>
    } @else {
      <p>Looking into your kubeconfig …</p>
    }
  `,
  styleUrl: './cluster-access.scss',
  // Meanwhile, in a terminal, anything may have been done to the file.
  host: { class: 'way', '(window:focus)': 'lookAgain()' },
})
export class TerminalKubeconfig {
  private readonly api = inject(Api);
  private readonly toaster = inject(Toaster);
  private readonly visibility = inject(PageVisibility);
  readonly cluster = input.required<ClusterKey>();
  /** Changes with what may change the entry: it is read again then. */
  readonly stamp = input.required<string>();

  protected readonly state = signal<KubeconfigMergeDto | undefined>(undefined);
  protected readonly failed = signal(false);
  protected readonly working = signal(false);
  protected readonly current = signal(false);
  private asked = 0;

  constructor() {
    effect(() => {
      this.stamp();
      if (this.visibility.visible()) untracked(() => void this.load());
    });
  }

  protected lookAgain(): void {
    if (!this.working()) void this.load();
  }

  protected async load(): Promise<void> {
    this.asked += 1;
    const { asked } = this;
    try {
      const state = await this.api.kubeconfigMerge(this.cluster());
      // An answer from before a change would undo what the change has shown.
      if (asked !== this.asked) return;
      this.state.set(state);
      this.failed.set(false);
    } catch {
      if (asked === this.asked) this.failed.set(this.state() === undefined);
    }
  }

  protected async add(setCurrent: boolean): Promise<void> {
    await this.change(() => this.api.mergeKubeconfig(this.cluster(), setCurrent), 'It was not added.');
  }

  protected async take(): Promise<void> {
    await this.change(() => this.api.unmergeKubeconfig(this.cluster()), 'It was not taken out.');
  }

  private async change(work: () => Promise<KubeconfigMergeDto>, title: string): Promise<void> {
    this.working.set(true);
    this.asked += 1;
    try {
      this.state.set(await work());
    } catch (error) {
      this.toaster.problem(error, title);
      await this.load();
    } finally {
      this.working.set(false);
    }
  }
}
