import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import type { ServerMessage, Topic } from '../api/api-types';
import { type FakeSocket, fakeSockets } from './testing/fake-socket';
import { LiveConnection, type LiveListener } from './live-connection';
import { PageVisibility } from '../browser/page-visibility';

interface Heard extends LiveListener {
  refreshed: number;
  messages: ServerMessage[];
}

function listener(...topics: Topic[]): Heard {
  const heard: Heard = {
    topics,
    pollEveryMs: 1000,
    refreshed: 0,
    messages: [],
    refresh: () => {
      heard.refreshed += 1;
    },
    onMessage: (message) => {
      heard.messages.push(message);
    },
  };
  return heard;
}

describe('LiveConnection', () => {
  const visible = signal(true);
  let sockets: FakeSocket[];
  let live: LiveConnection;

  const last = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error('No socket was opened.');
    return socket;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    visible.set(true);
    const fake = fakeSockets();
    sockets = fake.sockets;
    TestBed.configureTestingModule({
      providers: [fake.provider, { provide: PageVisibility, useValue: { visible } }],
    });
    live = TestBed.inject(LiveConnection);
    TestBed.tick();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('refreshes immediately, and again once the server has the subscription', () => {
    const clusters = listener('clusters');
    live.listen(clusters);
    expect(clusters.refreshed).toBe(1);
    last().accept();
    expect(live.state()).toBe('live');
    expect(last().sent).toEqual([{ type: 'subscribe', topics: ['clusters'] }, { type: 'ping' }]);
    expect(clusters.refreshed).toBe(1);
    last().tell({ type: 'pong' });
    expect(clusters.refreshed).toBe(2);
    jest.advanceTimersByTime(6000);
    expect(clusters.refreshed).toBe(2);
  });

  it('refreshes once for listeners that were added before it starts', () => {
    const early = TestBed.runInInjectionContext(() => new LiveConnection());
    const clusters = listener('clusters');
    early.listen(clusters);
    TestBed.tick();
    expect(clusters.refreshed).toBe(1);
  });

  it('passes each message to the listeners of its topic', () => {
    const clusters = listener('clusters');
    const job = listener('jobs', 'job:7');
    live.listen(clusters);
    live.listen(job);
    last().accept();
    last().tell({ type: 'clusters', clusters: [] });
    last().tell({ type: 'job_log', job_id: 7, lines: [] });
    last().tell({ type: 'job_log', job_id: 8, lines: [] });
    last().tell('not JSON');
    expect(clusters.messages).toEqual([{ type: 'clusters', clusters: [] }]);
    expect(job.messages).toEqual([{ type: 'job_log', job_id: 7, lines: [] }]);
  });

  it('unsubscribes from topics without listeners', () => {
    const stopOne = live.listen(listener('stats', 'clusters'));
    last().accept();
    const stopOther = live.listen(listener('clusters'));
    stopOne();
    expect(last().topics('unsubscribe')).toEqual(['stats']);
    stopOther();
    expect(last().topics('unsubscribe')).toEqual(['stats', 'clusters']);
  });

  it('polls while the socket is down, and reconnects', () => {
    const clusters = listener('clusters');
    live.listen(clusters);
    last().accept();
    last().tell({ type: 'pong' });
    const before = clusters.refreshed;
    last().close();
    expect(live.state()).toBe('polling');
    jest.advanceTimersByTime(3000);
    expect(clusters.refreshed).toBeGreaterThanOrEqual(before + 3);
    expect(sockets.length).toBeGreaterThan(1);
    last().accept();
    expect(live.state()).toBe('live');
    expect(last().topics('subscribe')).toEqual(['clusters']);
  });

  it('waits longer after each failure, up to 12.5 s', () => {
    live.listen(listener('clusters'));
    for (let failures = 0; failures < 8; failures += 1) {
      const opened = sockets.length;
      last().close();
      jest.advanceTimersByTime(12_500);
      expect(sockets.length).toBe(opened + 1);
    }
    const opened = sockets.length;
    last().close();
    jest.advanceTimersByTime(7_000);
    expect(sockets.length).toBe(opened);
  });

  it('reconnects when the server does not respond to pings', () => {
    live.listen(listener('clusters'));
    last().accept();
    last().tell({ type: 'pong' });
    jest.advanceTimersByTime(2000);
    expect(last().sent.at(-1)).toEqual({ type: 'ping' });
    jest.advanceTimersByTime(5_000);
    expect(live.state()).toBe('polling');
  });

  it('pauses while the tab is hidden, and refreshes when it is visible', () => {
    const clusters = listener('clusters');
    live.listen(clusters);
    last().accept();
    last().tell({ type: 'pong' });
    const { refreshed } = clusters;
    const opened = sockets.length;
    visible.set(false);
    TestBed.tick();
    expect(live.state()).toBe('paused');
    expect(last().readyState).toBe(WebSocket.CLOSED);
    jest.advanceTimersByTime(60_000);
    expect(clusters.refreshed).toBe(refreshed);
    expect(sockets.length).toBe(opened);
    visible.set(true);
    TestBed.tick();
    expect(clusters.refreshed).toBe(refreshed + 1);
    expect(sockets.length).toBe(opened + 1);
  });

  it('keeps the listeners of one topic connected while the tab is hidden', () => {
    const [jobs, stats] = [listener('jobs'), listener('stats')];
    live.listen(jobs);
    live.listen(stats);
    last().accept();
    last().tell({ type: 'pong' });
    live.topicWhileHidden.set('jobs');
    visible.set(false);
    TestBed.tick();
    expect(last().readyState).toBe(WebSocket.OPEN);
    expect(last().topics('unsubscribe')).toEqual(['stats']);
    last().close();
    jest.advanceTimersByTime(3000);
    last().accept();
    last().tell({ type: 'pong' });
    expect(last().topics('subscribe')).toEqual(['jobs']);
    expect(stats.refreshed).toBe(2);
    expect(jobs.refreshed).toBeGreaterThan(2);
    visible.set(true);
    TestBed.tick();
    last().tell({ type: 'pong' });
    expect(last().topics('subscribe')).toEqual(['jobs', 'stats']);
    expect(stats.refreshed).toBe(3);
  });

  it('waits for its ticket, and discards one that arrives after a pause', async () => {
    const tickets: ((ticket: string) => void)[] = [];
    const fake = fakeSockets(() => new Promise((resolve) => tickets.push(resolve)));
    TestBed.resetTestingModule();
    TestBed.configureTestingModule({
      providers: [fake.provider, { provide: PageVisibility, useValue: { visible } }],
    });
    TestBed.inject(LiveConnection);
    TestBed.tick();
    expect(fake.sockets).toHaveLength(0);
    visible.set(false);
    TestBed.tick();
    visible.set(true);
    TestBed.tick();
    tickets[0]?.('?token=of-before');
    tickets[1]?.('?token=of-now');
    await jest.advanceTimersByTimeAsync(0);
    expect(fake.sockets.map(({ query }) => query)).toEqual(['?token=of-now']);
  });

  it('retries without a ticket, and polls meanwhile', async () => {
    let fails = true;
    const fake = fakeSockets(() =>
      fails ? Promise.reject(new Error('no answer')) : Promise.resolve('?token=x'),
    );
    TestBed.resetTestingModule();
    TestBed.configureTestingModule({
      providers: [fake.provider, { provide: PageVisibility, useValue: { visible } }],
    });
    const connection = TestBed.inject(LiveConnection);
    TestBed.tick();
    await jest.advanceTimersByTimeAsync(0);
    expect([connection.state(), fake.sockets.length]).toEqual(['polling', 0]);
    fails = false;
    await jest.advanceTimersByTimeAsync(1000);
    expect(fake.sockets.map(({ query }) => query)).toEqual(['?token=x']);
  });
});
