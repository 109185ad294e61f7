import { Component, computed, inject } from '@angular/core';
import { JobsStore } from '../../shared/live/jobs-store';
import { StatsStore } from '../../shared/live/stats-store';
import { PAGE_SESSION } from '../../shared/session/page-session';
import { HeaderMenu, type MenuLink } from '../../shared/shell/header-menu';
import { PageFrame, type Pill } from '../../shared/shell/page-frame';
import { isForPage } from '../../shared/ui/slash-focus';
import { Palette } from '../palette/palette';
import { opensPalette } from '../palette/palette-key';
import { PaletteField } from '../palette/palette-field';
import { ConnectionNote } from './connection-note';
import { DemoBanner } from './demo-banner';
import { Shortcuts } from './shortcuts';

const LINKS: readonly MenuLink[] = [
  { href: '/log-board', text: 'Log board', icon: 'logs' },
  { href: '/docs', text: 'API documentation', icon: 'braces' },
  { href: '/redoc', text: 'API documentation, alternative', icon: 'book' },
];
/** An answer of the API: a window of its own has no token to show. */
const HEALTH: MenuLink = { href: '/api/v1/health', text: 'Health', icon: 'pulse' };

/** The frame of every page behind the sign-in, where there is one. */
@Component({
  selector: 'sw-frame',
  imports: [ConnectionNote, DemoBanner, HeaderMenu, PageFrame, PaletteField],
  template: `
    <sw-page-frame home="/clusters" [pills]="pills()">
      <ng-container end>
        <sw-connection-note />
        <sw-palette-field />
        <sw-header-menu [links]="links" [help]="help" />
      </ng-container>
      @if (isDemo()) {
        <sw-demo-banner />
      }
    </sw-page-frame>
  `,
  host: { '(document:keydown)': 'press($event)' },
})
export class Frame {
  private readonly jobs = inject(JobsStore);
  private readonly stats = inject(StatsStore);
  private readonly palette = inject(Palette);
  private readonly shortcuts = inject(Shortcuts);
  protected readonly isDemo = this.stats.isDemo;
  protected readonly links = inject(PAGE_SESSION) === 'open' ? [...LINKS, HEALTH] : LINKS;
  protected readonly help = (): void => void this.shortcuts.open();
  protected readonly pills = computed<readonly Pill[]>(() => [
    { text: 'Clusters', path: '/clusters', parts: ['clusters', 'cluster'] },
    { text: 'Journal', path: '/journal', parts: ['journal'] },
    {
      text: 'Jobs',
      path: '/jobs',
      parts: ['jobs'],
      count: { value: this.jobs.active().length, word: 'at work' },
    },
    { text: 'Diagnostics', path: '/diagnostics', parts: ['diagnostics'] },
    { text: 'Documentation', path: '/documentation', parts: ['documentation'] },
  ]);

  constructor() {
    this.jobs.live.watch();
    // Once, for the banner: to watch would have the engines sampled on pages that show no figure.
    void this.stats.live.refresh();
  }

  protected press(event: KeyboardEvent): void {
    if (event.key === '?' && isForPage(event)) this.help();
    if (opensPalette(event)) {
      // A browser would go to its own search.
      event.preventDefault();
      void this.palette.toggle();
    }
  }
}
