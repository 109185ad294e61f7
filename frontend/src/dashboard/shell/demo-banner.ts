import { Component } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Notice } from '../../shared/ui/notice';

/** Shown on every page in demo mode. */
@Component({
  selector: 'sw-demo-banner',
  imports: [Notice, RouterLink],
  template: `
    <sw-notice i18n tone="demo" icon="info">
      <b>This is a demo.</b> Clusters are simulated. Slipway found neither Docker nor Podman, or was started
      in demo mode.
      <a action class="link" routerLink="/diagnostics">Install an engine</a>
    </sw-notice>
  `,
  styles: `
    :host {
      display: block;
    }
    a {
      color: var(--demo-text);
      text-decoration: underline;
      text-underline-offset: 2px;
    }
  `,
  host: { class: 'band', role: 'region', 'aria-label': $localize`Demo` },
})
export class DemoBanner {}
