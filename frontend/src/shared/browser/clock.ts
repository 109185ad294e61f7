import { type HttpInterceptorFn, HttpResponse } from '@angular/common/http';
import { computed, effect, inject, Service, signal, untracked } from '@angular/core';
import { tap } from 'rxjs';
import { PageVisibility } from './page-visibility';
import { ServerPresence } from './server-presence';

/** Less may come from the way of a response, whose Date has whole seconds. */
const TOLERANCE_MS = 5000;

/** The current time in milliseconds since the epoch, updated every second while the page is visible. */
@Service()
export class Clock {
  private readonly time = signal(Date.now());
  private readonly offset = signal(0);
  private readonly server = inject(ServerPresence);
  /** Of the browser, for countdowns that start here. */
  readonly local = this.time.asReadonly();
  /** Of the server, for its times: the browser's clock may be wrong. It stops when the server does not respond. */
  readonly now = computed(() => this.server.lastSeen() ?? this.time() + this.offset());

  /** The server's time, also while the page is hidden. */
  read(): number {
    return Date.now() + untracked(this.offset);
  }

  /** @param date the header of a response. */
  follow(date: string | null): void {
    const offset = Date.parse(date ?? '') - Date.now();
    if (!Number.isNaN(offset)) this.offset.set(Math.abs(offset) < TOLERANCE_MS ? 0 : offset);
  }

  constructor() {
    const { visible } = inject(PageVisibility);
    effect((onCleanup) => {
      if (!visible()) return;
      this.time.set(Date.now());
      const timer = setInterval(() => this.time.set(Date.now()), 1000);
      onCleanup(() => clearInterval(timer));
    });
  }
}

/** Learns the server's time from each response. */
export const serverTime: HttpInterceptorFn = (request, next) => {
  const clock = inject(Clock);
  return next(request).pipe(
    tap((event) => {
      if (event instanceof HttpResponse) clock.follow(event.headers.get('date'));
    }),
  );
};
