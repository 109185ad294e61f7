import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { regexHits, type RegexRequest, type RegexResponse } from './regex-hits';
import { DEADLINE_MS, RegexSearch, type RegexWorker } from './regex-search';

/** A worker that says what it is told to say. */
class FakeWorker implements RegexWorker {
  onmessage: ((event: MessageEvent<RegexResponse>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly asked: RegexRequest[] = [];
  isEnded = false;

  postMessage(wanted: RegexRequest): void {
    if (this.isEnded) throw new Error('the worker has ended');
    this.asked.push(wanted);
  }

  terminate(): void {
    this.isEnded = true;
  }

  say(word: RegexResponse): void {
    this.onmessage?.({ data: word } as MessageEvent<RegexResponse>);
  }

  /** What a sound one answers to the last question. */
  answer(): void {
    const last = this.asked.at(-1);
    if (last) this.say(regexHits(last));
  }
}

describe('looking for an expression', () => {
  let workers: FakeWorker[];
  let seeker: RegexSearch;

  beforeEach(() => {
    jest.useFakeTimers();
    workers = [];
    seeker = new RegexSearch({ expression: '(a+)+$', matchCase: true }, () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('is done in one worker, which stays for the next texts', async () => {
    const first = seeker.seek(['xa', 'b']);
    workers[0]?.say('ready');
    workers[0]?.answer();
    expect(await first).toEqual([[{ from: 1, to: 2 }], []]);
    const second = seeker.seek(['aa']);
    workers[0]?.answer();
    expect(await second).toEqual([[{ from: 0, to: 2 }]]);
    expect(workers[0]?.asked[0]).toEqual({ expression: '(a+)+$', matchCase: true, texts: ['xa', 'b'] });
    jest.advanceTimersByTime(DEADLINE_MS * 10);
    expect([workers.length, workers[0]?.isEnded]).toEqual([1, false]);
  });

  it('is stopped when it takes too long, and begins anew with what is asked next', async () => {
    const slow = seeker.seek(['aaaa!']);
    workers[0]?.say('ready');
    jest.advanceTimersByTime(DEADLINE_MS - 1);
    expect(workers[0]?.isEnded).toBe(false);
    jest.advanceTimersByTime(1);
    expect([await slow, workers[0]?.isEnded]).toEqual(['slow', true]);
    const next = seeker.seek(['a']);
    workers[1]?.say('ready');
    workers[1]?.answer();
    expect(await next).toEqual([[{ from: 0, to: 1 }]]);
  });

  it('does not count the time that a worker takes to begin', async () => {
    const sought = seeker.seek(['a']);
    jest.advanceTimersByTime(DEADLINE_MS * 5);
    workers[0]?.say('ready');
    workers[0]?.answer();
    expect(await sought).toEqual([[{ from: 0, to: 1 }]]);
  });

  it('is told to be impossible where there is no worker, or no such expression', async () => {
    const lost = seeker.seek(['a']);
    workers[0]?.onerror?.({} as ErrorEvent);
    expect([await lost, workers[0]?.isEnded]).toEqual(['broken', true]);
    const unknown = seeker.seek(['a']);
    workers[1]?.say('ready');
    workers[1]?.say(null);
    expect(await unknown).toBe('broken');
    const none = new RegexSearch({ expression: 'a', matchCase: true }, () => {
      throw new Error('no workers here');
    });
    expect(await none.seek(['a'])).toBe('broken');
  });

  it('ends with whoever closes it, whatever it was at', async () => {
    const sought = seeker.seek(['a']);
    workers[0]?.say('ready');
    seeker.close();
    expect([await sought, workers[0]?.isEnded]).toEqual(['broken', true]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
