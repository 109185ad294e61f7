import { Component, computed, type ElementRef, input, output, viewChild } from '@angular/core';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { UI } from '../../shared/ui/ui';
import { LogLink } from '../logs/log-link';

/** The first steps with a new cluster, with commands for its context. */
@Component({
  selector: 'sw-first-steps',
  imports: [LogLink, UI],
  template: `
    <section class="panel" aria-labelledby="first-steps-title">
      <div class="panel-head">
        <h2 i18n id="first-steps-title" #heading tabindex="-1">First steps</h2>
        <sw-close-button label="Close first steps" i18n-label (closed)="closed.emit()" />
      </div>
      <ol>
        <li>
          <h3 i18n>Connect kubectl</h3>
          <p i18n>
            Add the context <code>{{ context() }}</code> to your kubeconfig.
          </p>
          <button i18n class="btn small" (click)="connect.emit()"><sw-icon name="key" />Go to Access</button>
          <sw-command-line [text]="kubectl('get nodes')" />
        </li>
        <li>
          <h3 i18n>Deploy</h3>
          <p i18n>Create a Deployment from an image, or apply your own YAML.</p>
          <a i18n class="btn small" [swLink]="page('apply')"><sw-icon name="arrow-up" />Apply YAML</a>
          <sw-command-line [text]="kubectl('create deployment web --image=nginx')" />
        </li>
        <li>
          <h3 i18n>Expose</h3>
          <p i18n>
            Create a Service and open it at <code>http://localhost:8081</code>. For host names, install an
            ingress controller.
          </p>
          <a i18n class="btn small" [swLink]="page('addons')"><sw-icon name="box" />Addons</a>
          <sw-command-line [text]="kubectl('expose deployment web --port=80')" />
          <sw-command-line [text]="kubectl('port-forward service/web 8081:80')" />
        </li>
        <li>
          <h3 i18n>Read logs</h3>
          <p i18n>Follow and search the logs of all Pods and nodes on the log board.</p>
          <sw-log-link
            [of]="{ runtime: cluster().runtime, cluster: cluster().name }"
            [name]="cluster().name"
          />
          <sw-command-line [text]="kubectl('logs deployment/web --follow')" />
        </li>
      </ol>
    </section>
  `,
  styleUrl: './first-steps.scss',
  host: { class: 'block' },
})
export class FirstSteps {
  readonly cluster = input.required<ClusterDto>();
  readonly closed = output();
  /** The user wants to add the cluster to the kubeconfig. */
  readonly connect = output();

  /** As the merge into the user's kubeconfig names it. */
  protected readonly context = computed(() => `kind-${this.cluster().name}`);
  private readonly heading = viewChild.required<ElementRef<HTMLElement>>('heading');

  focus(): void {
    this.heading().nativeElement.focus();
  }

  protected kubectl(command: string): string {
    return `kubectl --context ${this.context()} ${command}`;
  }

  protected page(name: string): string {
    return clusterPage(this.cluster(), name);
  }
}
