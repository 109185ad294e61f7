import { Component, computed, type ElementRef, inject, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { NavigationEnd, Router, RouterLink, RouterOutlet } from '@angular/router';
import { filter, map } from 'rxjs';
import { JobsStore } from '../../shared/live/jobs-store';
import { StatsStore } from '../../shared/live/stats-store';
import { Mark } from '../../shared/ui/mark';
import { ToastOutlet } from '../../shared/ui/toaster';
import { ConnectionNote } from './connection-note';
import { DemoBanner } from './demo-banner';
import { HeaderMenu } from './header-menu';

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

/** The frame of every page. */
@Component({
  selector: 'sw-root',
  imports: [RouterLink, RouterOutlet, ConnectionNote, DemoBanner, HeaderMenu, Mark, ToastOutlet],
  templateUrl: './shell.html',
  styleUrl: './shell.scss',
})
export class Shell {
  private readonly router = inject(Router);
  private readonly jobs = inject(JobsStore);
  private readonly stats = inject(StatsStore);
  private readonly content = viewChild.required<ElementRef<HTMLElement>>('content');
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

  constructor() {
    this.jobs.live.watch();
    // Once, for the banner: to watch would have the engines sampled on pages that show no figure.
    void this.stats.live.refresh();
  }

  protected skip(event: Event): void {
    event.preventDefault();
    this.content().nativeElement.focus();
  }
}
