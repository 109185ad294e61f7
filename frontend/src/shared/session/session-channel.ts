import { DestroyRef, DOCUMENT, inject, InjectionToken, Service } from '@angular/core';
import { Subject } from 'rxjs';

/** Connects the tabs of an origin, null if the browser has none; a token, so that tests can replace it. */
export const SESSION_CHANNEL = new InjectionToken<BroadcastChannel | null>('SESSION_CHANNEL', {
  providedIn: 'root',
  factory: () => {
    const view = inject(DOCUMENT).defaultView;
    return view && 'BroadcastChannel' in view ? new view.BroadcastChannel('slipway.sign-in') : null;
  },
});

/** Announces a sign-in to other tabs. They use the shared cookie: the message contains no secret. */
@Service()
export class SessionChannel {
  private readonly channel = inject(SESSION_CHANNEL);
  private readonly received = new Subject<void>();

  readonly elsewhere = this.received.asObservable();

  constructor() {
    const { channel } = this;
    if (!channel) return;
    channel.onmessage = () => this.received.next();
    inject(DestroyRef).onDestroy(() => channel.close());
  }

  announce(): void {
    this.channel?.postMessage('signed in');
  }
}
