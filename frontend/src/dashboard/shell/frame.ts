import { afterRenderEffect, Component, computed, type ElementRef, inject, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import {
  NavigationEnd,
  NavigationError,
  NavigationStart,
  Router,
  RouterLink,
  RouterOutlet,
} from '@angular/router';
import { filter, map } from 'rxjs';
import { JobsStore } from '../../shared/live/jobs-store';
import { SessionEndNote } from '../../shared/session/session-end-note';
import { StatsStore } from '../../shared/live/stats-store';
import { Mark } from '../../shared/ui/mark';
import { Notice } from '../../shared/ui/notice';
import { isForPage } from '../../shared/ui/slash-focus';
import { ConnectionNote } from './connection-note';
import { DemoBanner } from './demo-banner';
import { HeaderMenu } from './header-menu';
import { Shortcuts } from './shortcuts';

interface Pill {
  text: string;
  path: string;
  /** First parts of the addresses that belong to it. */
  parts: readonly string[];
}

const PILLS: readonly Pill[] = [
  { text: 'Clusters', path: '/clusters', parts: ['clusters', 'cluster'] },
  { text: 'Journal', path: '/journal', parts: ['journal'] },
  { text: 'Jobs', path: '/jobs', parts: ['jobs'] },
  { text: 'Diagnostics', path: '/diagnostics', parts: ['diagnostics'] },
  { text: 'Documentation', path: '/documentation', parts: ['documentation'] },
];

/** The frame of every page behind the sign-in, where there is one. */
@Component({
  selector: 'sw-frame',
  imports: [RouterLink, RouterOutlet, ConnectionNote, DemoBanner, HeaderMenu, Mark, Notice, SessionEndNote],
  templateUrl: './frame.html',
  styleUrl: './frame.scss',
  host: { '(document:keydown)': 'press($event)' },
})
export class Frame {
  private readonly router = inject(Router);
  private readonly jobs = inject(JobsStore);
  private readonly stats = inject(StatsStore);
  private readonly shortcuts = inject(Shortcuts);
  private readonly content = viewChild.required<ElementRef<HTMLElement>>('content');
  private readonly pillRow = viewChild.required<ElementRef<HTMLElement>>('row');
  protected readonly pills = PILLS;
  protected readonly atWork = computed(() => this.jobs.active().length);
  protected readonly isDemo = this.stats.isDemo;

  private readonly url = toSignal(
    this.router.events.pipe(
      filter((event) => event instanceof NavigationEnd),
      map((event) => event.urlAfterRedirects),
    ),
    { initialValue: '' },
  );
  protected readonly current = computed(() => {
    const [part = ''] = this.url().replace(/^\//, '').split(/[/?#]/);
    return PILLS.find(({ parts }) => parts.includes(part));
  });

  /** The page that could not be loaded, until the next one is asked for. */
  protected readonly unloaded = toSignal(
    this.router.events.pipe(
      filter((event) => event instanceof NavigationStart || event instanceof NavigationError),
      map((event) => (event instanceof NavigationError ? event.url : null)),
    ),
    { initialValue: null },
  );

  constructor() {
    // On a phone the row of pills is wider than the screen. By its own scroll: `scrollIntoView` moves the page too.
    afterRenderEffect(() => {
      this.current();
      const row = this.pillRow().nativeElement;
      const active = row.querySelector<HTMLElement>('[aria-current]');
      if (active) row.scrollLeft = active.offsetLeft - (row.clientWidth - active.offsetWidth) / 2;
    });
    this.jobs.live.watch();
    // Once, for the banner: to watch would have the engines sampled on pages that show no figure.
    void this.stats.live.refresh();
  }

  protected press(event: KeyboardEvent): void {
    if (event.key === '?' && isForPage(event)) void this.shortcuts.open();
  }

  protected skip(event: Event): void {
    event.preventDefault();
    this.content().nativeElement.focus();
  }
}
