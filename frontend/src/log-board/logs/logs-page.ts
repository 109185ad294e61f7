import { Component, inject } from '@angular/core';
import { Placeholder } from '../../shared/ui/placeholder';
import { BoardConnection } from './board-connection';

/** The page of the logs: for now its live connection. */
@Component({
  selector: 'sw-logs-page',
  imports: [Placeholder],
  template: `
    <div class="page">
      <div class="page-head"><h1>Logs</h1></div>
      <div class="panel" role="status">
        @switch (connection.state()) {
          @case ('open') {
            <sw-placeholder heading="No logs yet">
              The live connection stands, for as long as your session lasts. This version does not follow the
              logs of containers, pods and nodes yet.
            </sw-placeholder>
          }
          @case ('connecting') {
            <sw-placeholder heading="Connecting …">The live connection is on its way.</sw-placeholder>
          }
          @case ('lost') {
            <sw-placeholder heading="Not connected">
              Slipway does not answer. This page goes on by itself once it does.
            </sw-placeholder>
          }
        }
      </div>
    </div>
  `,
  styles: `
    .panel {
      margin-top: var(--s-4);
    }
  `,
})
export class LogsPage {
  protected readonly connection = inject(BoardConnection);

  constructor() {
    this.connection.watch();
  }
}
