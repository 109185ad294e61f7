import { Component, computed, inject, input, output, signal } from '@angular/core';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { UI } from '../../shared/ui/ui';
import { OwnKubeconfig } from '../cluster-actions/own-kubeconfig';
import { LogLink } from '../logs/log-link';
import { tablePage } from '../resource-model/resource-address';

/** The first steps with a cluster that has no workloads: one line that opens. */
@Component({
  selector: 'sw-first-steps',
  imports: [LogLink, UI],
  template: `
    <details class="panel disclosure">
      <summary>
        <ng-container i18n>This cluster has no workloads yet.</ng-container>
        <span i18n class="link">First steps</span>
      </summary>
      <ol aria-label="First steps" i18n-aria-label>
        <li>
          <h3 i18n>Connect</h3>
          @if (added()) {
            <p class="inline" role="status">
              <sw-state state="succeeded" [silent]="true" /><ng-container i18n
                >Added to your kubeconfig.</ng-container
              >
            </p>
            <sw-command-line [text]="'kubectl --context kind-' + cluster().name + ' get nodes'" />
          } @else {
            <p i18n>For <code>kubectl</code> in every terminal.</p>
            <button data-writes i18n class="btn small" [disabled]="working()" (click)="connect()">
              <sw-icon name="key" />Add to my kubeconfig
            </button>
          }
        </li>
        <li>
          <h3 i18n>Deploy</h3>
          <p i18n>From a template, your own YAML or a file.</p>
          <a i18n class="btn small" data-acts data-changes [swLink]="apply()"
            ><sw-icon name="arrow-up" />Apply YAML</a
          >
        </li>
        <li>
          <h3 i18n>Expose</h3>
          <p i18n>Each Deployment has Expose, which ends with a link.</p>
          <a i18n class="btn small" [swLink]="deployments()"><sw-icon name="external" />Deployments</a>
        </li>
        <li>
          <h3 i18n>Read logs</h3>
          <p i18n>Of all Pods and nodes, also after they end.</p>
          <sw-log-link
            [of]="{ runtime: cluster().runtime, cluster: cluster().name }"
            [name]="cluster().name"
          />
        </li>
      </ol>
    </details>
  `,
  styleUrl: './first-steps.scss',
  host: { class: 'block' },
})
export class FirstSteps {
  private readonly own = inject(OwnKubeconfig);
  readonly cluster = input.required<ClusterDto>();
  /** The user's own kubeconfig was changed. */
  readonly merged = output();

  protected readonly working = signal(false);
  protected readonly added = signal(false);
  protected readonly apply = computed(() => clusterPage(this.cluster(), 'apply'));
  protected readonly deployments = computed(() =>
    tablePage(this.cluster(), { group: 'apps', version: 'v1', plural: 'deployments' }),
  );

  protected async connect(): Promise<void> {
    this.working.set(true);
    this.added.set(await this.own.add(this.cluster()));
    this.working.set(false);
    if (this.added()) this.merged.emit();
  }
}
