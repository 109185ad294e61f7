import { DestroyRef, DOCUMENT, inject, InjectionToken, Service } from '@angular/core';
import { Subject } from 'rxjs';

/** Between the tabs of an origin; a token, so that tests bring their own. Null where there is none. */
export const SESSION_CHANNEL = new InjectionToken<BroadcastChannel | null>('SESSION_CHANNEL', {
  providedIn: 'root',
  factory: () => {
    const view = inject(DOCUMENT).defaultView;
    return view && 'BroadcastChannel' in view ? new view.BroadcastChannel('slipway.sign-in') : null;
  },
});

/** That somebody signed in, from tab to tab. What signs a tab in is the cookie: no secret is in the message. */
@Service()
export class SessionChannel {
  private readonly channel = inject(SESSION_CHANNEL);
  private readonly heard = new Subject<void>();

  /** Tells each sign-in of another tab. */
  readonly elsewhere = this.heard.asObservable();

  constructor() {
    const { channel } = this;
    if (!channel) return;
    channel.onmessage = () => this.heard.next();
    inject(DestroyRef).onDestroy(() => channel.close());
  }

  tell(): void {
    this.channel?.postMessage('signed in');
  }
}
