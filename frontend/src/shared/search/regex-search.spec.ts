import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { regexHits, type RegexRequest, type RegexResponse } from './regex-hits';
import { DEADLINE_MS, RegexSearch, type RegexWorker } from './regex-search';

/** A scripted worker. */
class FakeWorker implements RegexWorker {
  onmessage: ((event: MessageEvent<RegexResponse>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly requests: RegexRequest[] = [];
  isEnded = false;

  postMessage(wanted: RegexRequest): void {
    if (this.isEnded) throw new Error('the worker has ended');
    this.requests.push(wanted);
  }

  terminate(): void {
    this.isEnded = true;
  }

  say(word: RegexResponse): void {
    this.onmessage?.({ data: word } as MessageEvent<RegexResponse>);
  }

  /** The correct response to the last request. */
  answer(): void {
    const last = this.requests.at(-1);
    if (last) this.say(regexHits(last));
  }
}

describe('RegexSearch', () => {
  let workers: FakeWorker[];
  let search: RegexSearch;

  beforeEach(() => {
    jest.useFakeTimers();
    workers = [];
    search = new RegexSearch({ regex: '(a+)+$', matchCase: true }, () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('keeps its worker for the next texts', async () => {
    const first = search.run(['xa', 'b']);
    workers[0]?.say('ready');
    workers[0]?.answer();
    expect(await first).toEqual([[{ from: 1, to: 2 }], []]);
    const second = search.run(['aa']);
    workers[0]?.answer();
    expect(await second).toEqual([[{ from: 0, to: 2 }]]);
    expect(workers[0]?.requests[0]).toEqual({ regex: '(a+)+$', matchCase: true, texts: ['xa', 'b'] });
    jest.advanceTimersByTime(DEADLINE_MS * 10);
    expect([workers.length, workers[0]?.isEnded]).toEqual([1, false]);
  });

  it('terminates the worker after a timeout, and starts another for the next call', async () => {
    const slow = search.run(['aaaa!']);
    workers[0]?.say('ready');
    jest.advanceTimersByTime(DEADLINE_MS - 1);
    expect(workers[0]?.isEnded).toBe(false);
    jest.advanceTimersByTime(1);
    expect([await slow, workers[0]?.isEnded]).toEqual(['slow', true]);
    const next = search.run(['a']);
    workers[1]?.say('ready');
    workers[1]?.answer();
    expect(await next).toEqual([[{ from: 0, to: 1 }]]);
  });

  it('does not count the start of the worker as time of the regex', async () => {
    const sought = search.run(['a']);
    jest.advanceTimersByTime(DEADLINE_MS * 5);
    workers[0]?.say('ready');
    workers[0]?.answer();
    expect(await sought).toEqual([[{ from: 0, to: 1 }]]);
  });

  it('reports a missing worker and an invalid regex as broken', async () => {
    const lost = search.run(['a']);
    workers[0]?.onerror?.({} as ErrorEvent);
    expect([await lost, workers[0]?.isEnded]).toEqual(['broken', true]);
    const unknown = search.run(['a']);
    workers[1]?.say('ready');
    workers[1]?.say(null);
    expect(await unknown).toBe('broken');
    const none = new RegexSearch({ regex: 'a', matchCase: true }, () => {
      throw new Error('no workers here');
    });
    expect(await none.run(['a'])).toBe('broken');
  });

  it('ends a running call when it is closed', async () => {
    const sought = search.run(['a']);
    workers[0]?.say('ready');
    search.close();
    expect([await sought, workers[0]?.isEnded]).toEqual(['broken', true]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
