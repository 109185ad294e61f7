import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HttpClient, provideHttpClient, withInterceptors } from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { formatAgo, formatElapsed } from '../format/format';
import { Clock, serverTime } from './clock';

const MINUTE = 60_000;
const SERVER = Date.parse('2026-11-28T12:00:00Z');

// Case A04: the clock of the browser's machine is wrong.
describe('Clock', () => {
  let clock: Clock;
  let http: HttpTestingController;

  beforeEach(() => {
    TestBed.configureTestingModule({
      providers: [provideHttpClient(withInterceptors([serverTime])), provideHttpClientTesting()],
    });
    http = TestBed.inject(HttpTestingController);
  });

  afterEach(() => void jest.useRealTimers());

  function startAt(browser: number): void {
    jest.useFakeTimers({ now: browser });
    clock = TestBed.inject(Clock);
  }

  function respond(date?: number): void {
    TestBed.inject(HttpClient).get('/api/v1/clusters').subscribe();
    const headers = date === undefined ? undefined : { date: new Date(date).toUTCString() };
    http.expectOne('/api/v1/clusters').flush([], { headers });
  }

  it.each([
    ['ahead', 10 * MINUTE],
    ['behind', -10 * MINUTE],
  ])('shows when sessions and tokens end although the browser is 10 minutes %s', (_, wrong) => {
    startAt(SERVER + wrong);
    respond(SERVER);
    expect([clock.now(), clock.read(), clock.local()]).toEqual([SERVER, SERVER, SERVER + wrong]);
    expect(formatElapsed(SERVER + 5 * MINUTE - clock.now())).toBe('5 min');
    expect(formatAgo(SERVER - 3 * MINUTE, clock.now())).toBe('3 min ago');
  });

  it('ignores the whole seconds of the header, its absence, and follows a corrected clock', () => {
    startAt(SERVER + 900);
    respond(SERVER);
    expect(clock.now()).toBe(SERVER + 900);
    respond(SERVER + 60 * MINUTE);
    respond();
    expect(clock.now()).toBe(SERVER + 60 * MINUTE);
    respond(SERVER);
    expect(clock.now()).toBe(SERVER + 900);
  });
});
