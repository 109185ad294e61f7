import { describe, expect, it } from '@jest/globals';
import type { LogLine, LogStore } from '../../drivers/log-store/index.js';
import type { ServerMessage } from './socket-messages.js';
import { RecentLines } from './recent-lines.js';
import { Subscription } from './subscription.js';

function line(seq: number, text = `line ${seq}`): LogLine {
  return { seq, time: seq, stream: null, level: null, text, cut: 0, continues: false };
}

function lines(from: number, count: number): LogLine[] {
  return Array.from({ length: count }, (_, index) => line(from + index));
}

/** A source with subscriptions and a manual clock. */
class Bench {
  now = 0;
  ready = true;
  /** Messages that the socket accepts until it is full. */
  room = Infinity;
  readonly stored: LogLine[];
  readonly recent: RecentLines;
  readonly sent: ServerMessage[] = [];
  readonly subscription: Subscription;
  private readonly subscriptions: Subscription[] = [];
  private readonly store: Pick<LogStore, 'lines'>;
  /** Called during each read of the store. */
  whileRead = (): void => undefined;

  /** @param stored number of stored lines at the start @param next first line of the subscription */
  constructor(stored: number, next: number) {
    this.stored = lines(1, stored);
    this.recent = new RecentLines(stored + 1);
    const store = {
      lines: (_source: number, from: number, limit: number): Promise<LogLine[]> => {
        const found = this.stored.filter(({ seq }) => seq >= from).slice(0, limit);
        this.whileRead();
        return Promise.resolve(found);
      },
    };
    this.store = store;
    this.subscription = this.join(next, this.sent);
  }

  /** Adds a subscription. @param next its first line @param sent receives its messages */
  join(next: number, sent: ServerMessage[]): Subscription {
    const outlet = {
      ready: () => this.ready && this.room > 0,
      send: (message: ServerMessage) => {
        this.room -= 1;
        sent.push(message);
      },
    };
    const promised = this.recent.next;
    const joined = new Subscription(7, this.recent, this.store, outlet, next, promised, () => this.now);
    this.subscriptions.push(joined);
    return joined;
  }

  write(count: number): void {
    const added = lines(this.recent.next, count);
    this.stored.push(...added);
    this.recent.release(Math.min(...this.subscriptions.map(({ position }) => position)));
    this.recent.add(added, this.now);
  }

  /** Messages of the first subscription. */
  get got(): (number | [number, number])[] {
    return numbersOf(this.sent);
  }
}

/** Sent line numbers, and skipped ranges as `[from, to]`. */
function numbersOf(sent: readonly ServerMessage[]): (number | [number, number])[] {
  return sent.flatMap((message): (number | [number, number])[] => {
    if (message.type === 'skipped') {
      expect(message.count).toBe(message.to - message.from + 1);
      return [[message.from, message.to]];
    }
    if (message.type !== 'lines') throw new Error(`${message.type} was sent`);
    expect(message.lines.length).toBeLessThanOrEqual(500);
    return message.lines.map(([seq]) => seq);
  });
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('Subscription', () => {
  it('sends a recent line synchronously', () => {
    const bench = new Bench(10, 11);
    bench.write(1);
    void bench.subscription.advance();
    expect(bench.got).toEqual([11]);
    expect(bench.subscription.upToDate).toBe(true);
  });

  it('sends stored lines and then new ones, without a gap', async () => {
    const bench = new Bench(1200, 101);
    const catchingUp = bench.subscription.advance();
    bench.write(5);
    await catchingUp;
    bench.write(5);
    await bench.subscription.advance();
    expect(bench.got).toEqual(range(101, 1210));
  });

  it('limits messages to 500 lines and 64 k characters, except for a single line', async () => {
    const bench = new Bench(0, 1);
    bench.recent.add([line(1, 'x'.repeat(65_536)), line(2, 'y'.repeat(40_000)), ...lines(3, 600)], 0);
    await bench.subscription.advance();
    expect(bench.sent.map((message) => (message.type === 'lines' ? message.lines.length : 0))).toEqual([
      1, 500, 101,
    ]);
  });

  it('sends nothing to a blocked client, and reports skipped lines afterwards', async () => {
    const bench = new Bench(0, 1);
    bench.ready = false;
    for (let second = 0; second < 60; second += 1) {
      bench.write(1000);
      await bench.subscription.advance();
      bench.now += 1000;
    }
    expect(bench.sent).toEqual([]);
    bench.ready = true;
    await bench.subscription.advance();
    expect(bench.got).toEqual([[1, 59_500], ...range(59_501, 60_000)]);
  });

  it('skips nothing within 700 ms', async () => {
    const bench = new Bench(0, 1);
    bench.ready = false;
    bench.write(3000);
    bench.now += 700;
    bench.ready = true;
    await bench.subscription.advance();
    expect(bench.got).toEqual(range(1, 3000));
  });

  it('never skips requested stored lines', async () => {
    const bench = new Bench(3000, 1);
    bench.write(1000);
    bench.now += 60_000;
    bench.room = 2;
    await bench.subscription.advance();
    expect(bench.got).toEqual(range(1, 1000));
    bench.room = Infinity;
    await bench.subscription.advance();
    expect(bench.got).toEqual([...range(1, 3000), [3001, 3500], ...range(3501, 4000)]);
  });

  it('sends at most 20,000 unacknowledged lines', async () => {
    const bench = new Bench(0, 1);
    bench.subscription.acknowledge(0);
    bench.write(30_000);
    await bench.subscription.advance();
    expect(bench.got).toHaveLength(20_000);
    bench.subscription.acknowledge(10_000);
    await bench.subscription.advance();
    expect(bench.got).toEqual(range(1, 30_000));
  });

  it('reports lines that expired before they were sent as skipped', async () => {
    const bench = new Bench(100, 1);
    bench.stored.splice(0, 40);
    await bench.subscription.advance();
    expect(bench.got).toEqual([[1, 40], ...range(41, 100)]);
  });

  it('continues after deleted lines', async () => {
    const bench = new Bench(100, 1);
    bench.stored.splice(0);
    await bench.subscription.advance();
    expect([bench.got, bench.subscription.upToDate]).toEqual([[], true]);
    bench.write(1);
    await bench.subscription.advance();
    expect(bench.got).toEqual([101]);
  });

  it('sends lines that arrive while it detects that all earlier ones were deleted', async () => {
    const bench = new Bench(100, 1);
    bench.stored.splice(0);
    bench.whileRead = () => {
      bench.whileRead = () => undefined;
      bench.write(3);
    };
    await bench.subscription.advance();
    expect([bench.got, bench.subscription.upToDate]).toEqual([[101, 102, 103], true]);
  });

  it('reads lines from the store that the buffer has dropped', async () => {
    const bench = new Bench(10, 11);
    for (let round = 0; round < 5; round += 1) {
      bench.write(100);
      await bench.subscription.advance();
    }
    expect(bench.recent.from(11, 1)).toBeUndefined();
    const sent: ServerMessage[] = [];
    const other = bench.join(6, sent);
    const catchingUp = other.advance();
    bench.write(5);
    await catchingUp;
    await other.advance();
    expect(numbersOf(sent)).toEqual(range(6, 515));
    await bench.subscription.advance();
    expect(bench.got).toEqual(range(11, 515));
  });

  it('sends nothing after close, even if a read is in progress', async () => {
    const bench = new Bench(100, 1);
    const reading = bench.subscription.advance();
    bench.subscription.close();
    await reading;
    expect(bench.sent).toEqual([]);
  });
});

describe('RecentLines limits', () => {
  it('keeps the lines of the last 1.5 s', () => {
    const recent = new RecentLines(1);
    recent.add(lines(1, 10), 0);
    recent.add(lines(11, 10), 1000);
    recent.add(lines(21, 10), 2501);
    expect(recent.from(10, 5)).toBeUndefined();
    recent.add(lines(31, 10), 2502);
    expect([recent.from(10, 5), recent.from(11, 2)?.map(({ seq }) => seq)]).toEqual([undefined, [11, 12]]);
    expect([recent.next, recent.from(41, 1), recent.arrivalOf(41), recent.arrivalOf(35)]).toEqual([
      41,
      undefined,
      undefined,
      2502,
    ]);
  });

  it('keeps at most 8 MB of text', () => {
    const recent = new RecentLines(1);
    for (let seq = 1; seq <= 200; seq += 1) recent.add([line(seq, 'x'.repeat(65_536))], 0);
    expect([recent.from(72, 1), recent.from(73, 1)?.length]).toEqual([undefined, 1]);
  });

  it('starts over after a gap', () => {
    const recent = new RecentLines(1);
    recent.add(lines(1, 5), 0);
    recent.add(lines(9, 2), 0);
    expect([recent.from(5, 1), recent.from(9, 5)?.length]).toEqual([undefined, 2]);
  });
});
