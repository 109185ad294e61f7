import { Component, inject, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { Router } from '@angular/router';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { NOTIFICATION } from '../../shared/notifications/browser-notifications';
import { TabLeader } from '../../shared/notifications/tab-leader';
import { FakeNotification } from '../../shared/testing/fake-notification';
import { aFiring } from '../../shared/testing/alert-records';
import { Toaster } from '../../shared/ui/toaster';
import { BoardConnection, type BoardListener } from '../api/board-connection';
import { AlertNotifications } from './alert-notifications';

@Component({ template: '' })
class Watcher {
  constructor() {
    inject(AlertNotifications).watch();
  }
}

describe('AlertNotifications', () => {
  const state = signal('open');
  const listeners = new Set<BoardListener>();
  let navigated: unknown[];
  let claimsNotification: boolean;
  let asked: string[];
  let attended: number;
  let focused: number;

  beforeEach(() => {
    focused = 0;
    jest.spyOn(window, 'focus').mockImplementation(() => void (focused += 1));
    claimsNotification = true;
    asked = [];
    attended = 0;
    FakeNotification.reset();
    listeners.clear();
    navigated = [];
    TestBed.configureTestingModule({
      providers: [
        {
          provide: TabLeader,
          useValue: {
            attend: () => undefined,
            claimsNotification: (what: string) => {
              asked.push(what);
              return Promise.resolve(claimsNotification);
            },
          },
        },
        { provide: NOTIFICATION, useValue: FakeNotification },
        {
          provide: BoardConnection,
          useValue: {
            state,
            watch: () => void (attended += 1),
            listen: (listener: BoardListener) => {
              listeners.add(listener);
              return () => listeners.delete(listener);
            },
          },
        },
        { provide: Router, useValue: { navigate: (...way: unknown[]) => navigated.push(way) } },
      ],
    });
  });

  function fire(): void {
    for (const listener of listeners) listener.onMessage({ type: 'alert', alert: aFiring() });
  }

  it('shows a message with a link to the firings', () => {
    TestBed.createComponent(Watcher);
    fire();
    const [toast] = TestBed.inject(Toaster).toasts();
    expect(toast).toMatchObject({
      title: 'Alert Payments time out.',
      text: '12 lines matched. Latest: upstream timeout',
    });
    toast?.action?.run();
    expect(navigated).toEqual([[['/alerts'], { queryParams: { alert: 1 } }]]);
    for (const listener of listeners) listener.onMessage({ type: 'pong' });
    expect(TestBed.inject(Toaster).toasts()).toHaveLength(1);
  });

  it('shows a browser notification if allowed, in one tab only', async () => {
    TestBed.createComponent(Watcher);
    const notifications = TestBed.inject(AlertNotifications);
    fire();
    await Promise.resolve();
    expect([FakeNotification.asked, FakeNotification.shown.length]).toEqual([0, 0]);
    await notifications.allow();
    expect([FakeNotification.asked, notifications.permission()]).toEqual([1, 'granted']);
    fire();
    await Promise.resolve();
    const [shown] = FakeNotification.shown;
    expect(shown?.options).toEqual({
      body: '12 lines matched. Latest: upstream timeout',
      tag: 'slipway-alert-3',
    });
    shown?.onclick?.();
    expect([shown?.isClosed, navigated.length, focused]).toEqual([true, 1, 1]);
    // Another tab does.
    claimsNotification = false;
    fire();
    await Promise.resolve();
    expect(FakeNotification.shown).toHaveLength(1);
    expect(asked).toEqual(['3@2026-11-22T08:01:00.000Z', '3@2026-11-22T08:01:00.000Z']);
  });

  it('counts firing alerts while connected', () => {
    TestBed.createComponent(Watcher);
    const { firingNow } = TestBed.inject(AlertNotifications);
    const tell = (count: number): void => {
      for (const listener of listeners) listener.onMessage({ type: 'alerts_firing', count });
    };
    expect(firingNow()).toBe(0);
    tell(2);
    expect(firingNow()).toBe(2);
    state.set('lost');
    expect(firingNow()).toBe(0);
    // The server sends no count of zero after the greeting.
    for (const listener of listeners) listener.onOpen();
    state.set('open');
    expect(firingNow()).toBe(0);
    tell(1);
    expect(firingNow()).toBe(1);
  });

  it('stops listening when its last user is destroyed', () => {
    const fixture = TestBed.createComponent(Watcher);
    expect([listeners.size, attended]).toEqual([1, 1]);
    fixture.destroy();
    expect(listeners.size).toBe(0);
  });
});
