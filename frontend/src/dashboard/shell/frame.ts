import type { DialogRef } from '@angular/cdk/dialog';
import { Component, computed, effect, inject, Injector, input, signal } from '@angular/core';
import { ServerPresence } from '../../shared/browser/server-presence';
import { readStored, store } from '../../shared/browser/browser-storage';
import { loadPart } from '../../shared/loading/load-part';
import { ClustersStore } from '../../shared/live/clusters-store';
import { JobsStore } from '../../shared/live/jobs-store';
import { LiveConnection } from '../../shared/live/live-connection';
import { StatsStore } from '../../shared/live/stats-store';
import { HeaderLink } from '../../shared/shell/header-link';
import { Outage } from '../../shared/shell/outage';
import { PageFrame, type Pill } from '../../shared/shell/page-frame';
import { UI } from '../../shared/ui/ui';
import { ExternalBar } from '../external/external-bar';
import { ShellDock } from '../shells/shell-dock';
import { Shells } from '../shells/shells';

/** In the session storage: the banner returns with the next session. */
const DEMO_KEY = 'slipway.demo-banner-closed';

@Component({
  selector: 'sw-frame',
  imports: [ExternalBar, HeaderLink, Outage, PageFrame, ShellDock, UI],
  template: `
    <sw-page-frame home="/clusters" [pills]="pills()" health="/api/v1/health">
      <span status role="status">
        @if (connection.state() === 'polling' && !server.gone()) {
          <span
            i18n
            class="polling flow tight warning-text xs nowrap"
            title="The live connection is down. The page refreshes every few seconds until it reconnects."
            i18n-title
          >
            Reconnecting
          </span>
        }
      </span>
      <sw-header-link end href="/log-board" icon="logs" text="Log board" i18n-text />
      @defer (when hasExternal()) {
        <sw-external-bar />
      }
      @if (showsDemo()) {
        <div class="band" role="region" aria-label="Demo" i18n-aria-label>
          <sw-notice i18n tone="demo">
            <b>This is a demo.</b>&ngsp;<span class="why"
              >Clusters are simulated. Slipway found neither Docker nor Podman, or was started in demo
              mode.</span
            >
            <a action class="link demo" swLink="/diagnostics">Install an engine</a>
            <sw-close-button action label="Close the demo notice" i18n-label (closed)="closeDemo()" />
          </sw-notice>
        </div>
      }
    </sw-page-frame>
    <!-- Not on idle: without a server, its script could not be loaded any more. -->
    @defer (on immediate) {
      <sw-outage />
    }
    @defer (when shells.tabs().length > 0) {
      @if (shells.tabs().length > 0) {
        <sw-shell-dock />
      }
    } @error {
      <sw-notice i18n tone="failed">
        <b>Could not load the terminal.</b> Slipway does not respond. Reload the page.
      </sw-notice>
    }
  `,
  styles: `
    .polling::before {
      content: '';
      width: 7px;
      height: 7px;
      border-radius: 50%;
      box-shadow: inset 0 0 0 1.5px var(--degraded-glyph);
    }
    @media (width <= 720px) {
      .why {
        display: none;
      }
    }
    .demo {
      color: var(--demo-text);
      text-decoration: underline;
      text-underline-offset: 2px;
    }
  `,
})
export class Frame {
  private readonly injector = inject(Injector);
  private readonly jobs = inject(JobsStore);
  private readonly stats = inject(StatsStore);
  /** From the URL: the job whose view is open. */
  readonly progress = input<string>();
  protected readonly connection = inject(LiveConnection);
  protected readonly server = inject(ServerPresence);
  protected readonly shells = inject(Shells);
  private readonly isDemoClosed = signal(readStored(DEMO_KEY, 'sessionStorage') === true);
  private readonly clusters = inject(ClustersStore);
  protected readonly hasExternal = computed(() =>
    this.clusters.clusters().some(({ external }) => external !== null),
  );
  protected readonly showsDemo = computed(() => this.stats.isDemo() && !this.isDemoClosed());
  protected readonly pills = computed<readonly Pill[]>(() => [
    { text: $localize`Clusters`, path: '/clusters', parts: ['clusters', 'cluster'] },
    { text: $localize`Journal`, path: '/journal', parts: ['journal'] },
    {
      text: $localize`Jobs`,
      path: '/jobs',
      parts: ['jobs'],
      count: { value: this.jobs.active().length, label: $localize`active` },
    },
    { text: $localize`Diagnostics`, path: '/diagnostics', parts: ['diagnostics'] },
    {
      text: $localize`Documentation`,
      short: $localize`Docs`,
      path: '/documentation',
      parts: ['documentation'],
    },
  ]);

  constructor() {
    this.jobs.live.watch();
    // Once, for the banner: watching would make the server sample the engines on pages without figures.
    void this.stats.live.reload();
    // Not among the first scripts.
    void loadPart(() => import('../jobs/job-notifications')).then(({ JobNotifications }) =>
      this.injector.get(JobNotifications),
    );
    effect((onCleanup) => {
      const text = this.progress() ?? '';
      if (!/^[1-9]\d{0,14}$/.test(text)) return;
      let isLeft = false;
      let shown: DialogRef | undefined;
      void loadPart(() => import('../job-screen/open-job-screen')).then(({ openJobScreen }) => {
        if (!isLeft) shown = openJobScreen(this.injector, Number(text));
      });
      onCleanup(() => {
        isLeft = true;
        shown?.close();
      });
    });
  }

  protected closeDemo(): void {
    this.isDemoClosed.set(true);
    store(DEMO_KEY, true, 'sessionStorage');
  }
}
