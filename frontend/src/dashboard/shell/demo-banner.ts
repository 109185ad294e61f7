import { Component } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Notice } from '../../shared/ui/notice';

/** Stands on every page while no engine is there: nothing that is shown is real. */
@Component({
  selector: 'sw-demo-banner',
  imports: [RouterLink, Notice],
  template: `
    <sw-notice i18n tone="demo" icon="info">
      <b>This is a demo.</b> Its clusters are made up and nothing runs on this machine: Slipway found neither
      Docker nor Podman, or was told to play.
      <a action class="link" routerLink="/diagnostics">How to install an engine</a>
    </sw-notice>
  `,
  styles: `
    :host {
      display: block;
      padding: 12px max(var(--gutter), calc((100% - var(--page-max)) / 2 + var(--gutter))) 0;
    }
    a {
      color: var(--demo-text);
      text-decoration: underline;
      text-underline-offset: 2px;
    }
  `,
  host: { role: 'region', 'aria-label': 'Demo' },
})
export class DemoBanner {}
