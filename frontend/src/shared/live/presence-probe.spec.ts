import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import { Clock } from '../browser/clock';
import { ServerPresence } from '../browser/server-presence';
import { LiveConnection } from './live-connection';
import { PresenceProbe } from './presence-probe';
import { serverProviders } from './server-connection';
import { type FakeSocket, fakeSockets } from './testing/fake-socket';

const START = Date.parse('2026-11-28T16:55:12Z');

describe('PresenceProbe', () => {
  let sockets: FakeSocket[];
  let isUp: boolean;
  const before = globalThis.fetch;

  beforeEach(() => {
    jest.useFakeTimers({ now: START });
    isUp = true;
    globalThis.fetch = () =>
      isUp ? Promise.resolve({ ok: true } as Response) : Promise.reject(new TypeError('Failed to fetch'));
    AbortSignal.timeout = () => new AbortController().signal;
    const fake = fakeSockets();
    sockets = fake.sockets;
    TestBed.configureTestingModule({
      providers: [fake.provider, serverProviders(LiveConnection, '/api/v1/health')],
    });
    TestBed.inject(LiveConnection);
    TestBed.inject(PresenceProbe);
    TestBed.tick();
    sockets[0]?.accept();
    TestBed.tick();
  });

  afterEach(() => {
    jest.useRealTimers();
    globalThis.fetch = before;
  });

  const lastSeen = (): number | null => TestBed.inject(ServerPresence).lastSeen();

  async function pass(milliseconds: number): Promise<void> {
    TestBed.tick();
    await jest.advanceTimersByTimeAsync(milliseconds);
    TestBed.tick();
  }

  it('takes a lost socket alone for no outage', async () => {
    sockets[0]?.close();
    await pass(300);
    expect(lastSeen()).toBeNull();
  });

  it('stops the clock when the server does not respond, until it does, and connects at once', async () => {
    isUp = false;
    sockets[0]?.close();
    await pass(2000);
    expect(lastSeen()).toBe(START);
    expect(TestBed.inject(Clock).now()).toBe(START);
    while (sockets.length < 3) {
      await pass(1000);
      sockets.at(-1)?.close();
    }
    const attempts = sockets.length;
    isUp = true;
    await pass(1000);
    expect(lastSeen()).toBeNull();
    expect(sockets.length).toBeGreaterThan(attempts);
    expect(TestBed.inject(Clock).now()).toBeGreaterThan(START);
  });

  it('notices within 5 s that a server is frozen, and that it goes on', async () => {
    sockets[0]?.tell({ type: 'pong' });
    isUp = false;
    await pass(5000);
    expect(lastSeen()).not.toBeNull();
    expect(sockets[0]?.readyState).toBe(WebSocket.OPEN);
    sockets[0]?.tell({ type: 'pong' });
    TestBed.tick();
    expect(lastSeen()).toBeNull();
  });

  it('takes a late pong for no outage while requests are served', async () => {
    sockets[0]?.tell({ type: 'pong' });
    await pass(5000);
    expect(lastSeen()).toBeNull();
  });
});
