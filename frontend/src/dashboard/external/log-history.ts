import { Component, inject, input } from '@angular/core';
import { UI } from '../../shared/ui/ui';
import { ExternalClusters } from './external-clusters';
import { type ExternalCluster, scopeText } from './external-labels';

/** The Pods of an external cluster whose log lines are stored. */
@Component({
  selector: 'sw-log-history',
  imports: [UI],
  template: `
    <section class="panel" aria-labelledby="log-history-title">
      <div class="panel-head">
        <h2 i18n id="log-history-title">Log history</h2>
        <button data-writes i18n class="btn small end" (click)="externals.storeLines(cluster())">
          <sw-icon name="plus" />Store lines of…
        </button>
      </div>
      <ul class="row-list">
        @for (scope of cluster().external.history; track textOf(scope)) {
          <li>
            <div class="fill anywhere">
              <b class="medium">{{ scope.namespace }}</b>
              @if (scope.selector; as selector) {
                <code class="soft">{{ selector }}</code>
              } @else {
                <span i18n class="muted">All Pods</span>
              }
            </div>
            <button
              data-writes
              swIconButton="minus"
              label="Remove {{ textOf(scope) }}"
              i18n-label
              (click)="externals.stopStoring(cluster(), scope)"
            ></button>
          </li>
        } @empty {
          <li i18n class="soft">
            Slipway reads the logs of this cluster live and stores no lines, so that a big cluster is not
            copied to this machine. Choose namespaces whose lines it stores.
          </li>
        }
      </ul>
    </section>
  `,
  styles: `
    :host {
      display: block;
    }
    b {
      margin-inline-end: 8px;
    }
  `,
})
export class LogHistory {
  protected readonly externals = inject(ExternalClusters);
  readonly cluster = input.required<ExternalCluster>();
  protected readonly textOf = scopeText;
}
