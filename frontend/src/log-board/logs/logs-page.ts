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
      @switch (connection.state()) {
        @case ('open') {
          <sw-placeholder heading="Connected">
            The live connection stands, until this session ends. No source is followed yet.
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
  `,
})
export class LogsPage {
  protected readonly connection = inject(BoardConnection);

  constructor() {
    this.connection.watch();
  }
}
