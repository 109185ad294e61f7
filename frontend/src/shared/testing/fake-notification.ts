/** The browser's notifications. As in a browser, a page shows none without permission. */
export class FakeNotification {
  static permission: NotificationPermission = 'default';
  /** The user's reply to the permission prompt. */
  static answer: NotificationPermission = 'granted';
  static asked = 0;
  static shown: FakeNotification[] = [];
  onclick: (() => void) | null = null;
  isClosed = false;

  constructor(
    readonly title: string,
    readonly options: NotificationOptions,
  ) {
    if (FakeNotification.permission !== 'granted') throw new Error('Notifications are not allowed.');
    FakeNotification.shown.push(this);
  }

  static reset(): void {
    FakeNotification.permission = 'default';
    FakeNotification.answer = 'granted';
    FakeNotification.asked = 0;
    FakeNotification.shown = [];
  }

  static requestPermission(): Promise<NotificationPermission> {
    FakeNotification.asked += 1;
    // Browsers show the question once.
    if (FakeNotification.permission === 'default') FakeNotification.permission = FakeNotification.answer;
    return Promise.resolve(FakeNotification.permission);
  }

  close(): void {
    this.isClosed = true;
  }
}
