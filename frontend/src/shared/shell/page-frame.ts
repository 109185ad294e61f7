import {
  afterRenderEffect,
  Component,
  computed,
  type ElementRef,
  inject,
  input,
  viewChild,
} from '@angular/core';
import { takeUntilDestroyed, toSignal } from '@angular/core/rxjs-interop';
import {
  NavigationEnd,
  NavigationError,
  NavigationStart,
  Router,
  RouterLink,
  RouterOutlet,
} from '@angular/router';
import { filter, map, skip } from 'rxjs';
import { served } from '../api/base-path';
import { Palette } from '../palette/palette';
import { PaletteField } from '../palette/palette-field';
import { opensPalette } from '../palette/palette-key';
import { SessionEndNote } from '../session/session-end-note';
import { SessionRights } from '../session/may-change';
import { Brand } from '../ui/brand';
import { IconButton } from '../ui/icon-button';
import { afterLayout } from '../ui/after-layout';
import { catchLostFocus } from '../ui/lost-focus';
import { Notice } from '../ui/notice';
import { isForPage } from '../ui/slash-focus';
import { HeaderMenu, type MenuPage } from './header-menu';
import { Shortcuts } from '../shortcuts/shortcuts';
import { PlainButton } from '../ui/plain-button';
import { ReadOnlyTag } from './read-only-tag';

export interface Pill {
  text: string;
  /** On a phone. */
  short?: string;
  path: string;
  /** First path segments that belong to it. */
  parts: readonly string[];
  /** A count to show on every page; hidden if 0. */
  count?: { value: number; label: string; firing?: boolean };
}

/**
 * The frame of every page, with the command palette and the keyboard shortcuts. Projected content is shown above the
 * page, or in the header if it has the attribute `status` or `end`.
 * The menu is not among the first scripts.
 */
@Component({
  selector: 'sw-page-frame',
  imports: [
    Brand,
    HeaderMenu,
    IconButton,
    Notice,
    PaletteField,
    RouterLink,
    RouterOutlet,
    SessionEndNote,
    PlainButton,
    ReadOnlyTag,
  ],
  templateUrl: './page-frame.html',
  styleUrl: './page-frame.scss',
  host: { '(document:keydown)': 'press($event)' },
})
export class PageFrame {
  protected readonly rights = inject(SessionRights);
  private readonly palette = inject(Palette);
  private readonly router = inject(Router);
  private readonly shortcuts = inject(Shortcuts);
  private readonly content = viewChild.required<ElementRef<HTMLElement>>('content');
  private readonly pillRow = viewChild.required<ElementRef<HTMLElement>>('row');
  /** Name of the application beside the product's; empty on the dashboard. */
  readonly application = input('');
  readonly home = input.required<string>();
  readonly pills = input.required<readonly Pill[]>();
  /** Pages in the menu. */
  readonly pages = input<readonly MenuPage[]>([]);
  /** The URL of the application's health. */
  readonly health = input.required<string>();

  private readonly url = toSignal(
    this.router.events.pipe(
      filter((event) => event instanceof NavigationEnd),
      map((event) => event.urlAfterRedirects),
    ),
    { initialValue: '' },
  );
  protected readonly current = computed(() => {
    const [part = ''] = this.url().replace(/^\//, '').split(/[/?#]/);
    return this.pills().find(({ parts }) => parts.includes(part))?.path;
  });

  /** The URL of a page that could not be loaded, until the next navigation. */
  protected readonly unloaded = toSignal(
    this.router.events.pipe(
      filter((event) => event instanceof NavigationStart || event instanceof NavigationError),
      map((event) => (event instanceof NavigationError ? served(event.url) : null)),
    ),
    { initialValue: null },
  );

  constructor() {
    // The focused link may be gone with its page. The first page keeps the browser's own focus.
    this.router.events
      .pipe(
        filter((event) => event instanceof NavigationEnd),
        skip(1),
        takeUntilDestroyed(),
      )
      .subscribe(() => catchLostFocus());
    // On a phone the navigation is wider than the screen. `scrollIntoView` would scroll the page, too.
    afterRenderEffect((onCleanup) => {
      this.current();
      onCleanup(afterLayout(() => this.centerPill()));
    });
  }

  protected press(event: KeyboardEvent): void {
    if (event.key === '?' && isForPage(event)) void this.shortcuts.open();
    if (opensPalette(event)) {
      // Browsers use this key for their own search.
      event.preventDefault();
      void this.palette.toggle();
    }
  }

  protected skip(event: Event): void {
    event.preventDefault();
    this.content().nativeElement.focus();
  }

  private centerPill(): void {
    const row = this.pillRow().nativeElement;
    const active = row.querySelector<HTMLElement>('[aria-current]');
    if (active) row.scrollLeft = active.offsetLeft - (row.clientWidth - active.offsetWidth) / 2;
  }
}
