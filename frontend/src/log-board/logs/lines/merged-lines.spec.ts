import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { MergedPageDto, WireLine, WireMergedLine } from '../../../shared/api/api-types';
import { MergedLines } from './merged-lines';

/** A server with several sources, which merges lines by time and source. */
class FakeHistory {
  private readonly lines: WireMergedLine[] = [];
  private readonly written = new Map<number, number>();
  readonly asked: { position: number; limit: number }[] = [];
  /** Older lines are deleted. */
  first = 1;
  fails = false;
  /** Limit of lines per response. */
  room = Infinity;

  /** @returns the line as sent by the socket */
  write(source: number, time: number, text = `${source} at ${time}`): WireLine {
    const seq = (this.written.get(source) ?? 0) + 1;
    this.written.set(source, seq);
    const wire: WireLine = [seq, time, 1, null, text, 0];
    const index = this.lines.findLastIndex(
      (line) => line[2] < time || (line[2] === time && line[0] <= source),
    );
    this.lines.splice(index + 1, 0, [source, ...wire]);
    return wire;
  }

  page(position: number, limit: number): MergedPageDto {
    const from = Math.max(position, this.first);
    const wanted = this.lines.slice(from - 1, from - 1 + limit);
    const lines = wanted.slice(0, this.room);
    const page = { position: from, first: this.first, end: this.lines.length + 1, lines };
    return lines.length < wanted.length ? { ...page, ended_early: true } : page;
  }

  newest(limit = Math.min(500, this.room)): MergedPageDto {
    return this.page(Math.max(this.first, this.lines.length + 1 - limit), limit);
  }

  load(position: number, limit: number): Promise<MergedPageDto> {
    this.asked.push({ position, limit });
    return this.fails ? Promise.reject(new Error('no answer')) : Promise.resolve(this.page(position, limit));
  }

  get texts(): string[] {
    return this.lines.map((line) => line[5]);
  }
}

describe('MergedLines', () => {
  let history: FakeHistory;
  let feed: MergedLines;

  beforeEach(() => {
    jest.useFakeTimers();
    history = new FakeHistory();
    feed = new MergedLines([1, 2], {
      load: (position, limit) => history.load(position, limit),
      changed: () => undefined,
    });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  function open(): void {
    feed.synchronize(history.newest());
  }

  function text(at: number): string | undefined {
    const row = feed.row(at);
    return row?.kind === 'line' ? row.text : row && `gap of ${row.count}`;
  }

  function rows(): (string | undefined)[] {
    return Array.from({ length: feed.end - feed.first }, (_, index) => text(feed.first + index));
  }

  async function look(from: number, to: number): Promise<void> {
    feed.want(from, to);
    await jest.advanceTimersByTimeAsync(0);
  }

  /** Checks that each visible row is that of the server. */
  async function expectExact(): Promise<void> {
    expect(feed.first).toBe(history.first);
    const { texts } = history;
    expect(feed.end - 1).toBe(texts.length);
    for (let from = feed.first; from < feed.end; from += 100) {
      const to = Math.min(from + 100, feed.end);
      await look(from, to);
      const shown = Array.from({ length: to - from }, (_, index) => text(from + index));
      expect(shown).toEqual(texts.slice(from - 1, to - 1));
    }
  }

  it('opens with the newest lines, and loads older ones on demand', async () => {
    for (let time = 1; time <= 1700; time += 1) history.write(1, time);
    open();
    expect([feed.first, feed.end]).toEqual([1, 1701]);
    expect(text(1700)).toBe('1 at 1700');
    expect(text(600)).toBeUndefined();
    await look(595, 605);
    expect(history.asked).toEqual([{ position: 500, limit: 500 }]);
    expect(text(600)).toBe('1 at 600');
    await expectExact();
  });

  it('maps row N to line N of a million lines', async () => {
    const million = 1_000_000;
    const page = (position: number, limit: number): MergedPageDto => ({
      position,
      first: 1,
      end: million + 1,
      lines: Array.from({ length: Math.min(limit, million + 1 - position) }, (_, index) => [
        1,
        position + index,
        position + index,
        1,
        null,
        `line ${position + index}`,
        0,
      ]),
    });
    feed = new MergedLines([1], {
      load: (position, limit) => Promise.resolve(page(position, limit)),
      changed: () => undefined,
    });
    feed.synchronize(page(million - 499, 500));
    let at = 7;
    for (let round = 0; round < 1000; round += 1) {
      at = ((at * 48_271) % 2_147_483_647) % million || 1;
      feed.want(at, at + 1);
      await Promise.resolve();
      await Promise.resolve();
      expect(text(at)).toBe(`line ${at}`);
    }
  });

  it('appends lines in merge order', async () => {
    history.write(1, 10);
    history.write(2, 20);
    open();
    feed.append(1, [history.write(1, 40)]);
    feed.append(2, [history.write(2, 30), history.write(2, 50)]);
    expect(rows()).toEqual(['1 at 10', '2 at 20', '2 at 30', '1 at 40', '2 at 50']);
    expect(feed.arrived).toBe(3);
    // The former row 3 is renumbered.
    expect(feed.find({ source: 1, seq: 2 })).toBe(4);
    await expectExact();
  });

  it('sorts lines of the same time by source and sequence number', () => {
    open();
    feed.append(2, [history.write(2, 10, 'b1'), history.write(2, 10, 'b2')]);
    feed.append(1, [history.write(1, 10, 'a')]);
    expect(rows()).toEqual(['a', 'b1', 'b2']);
    expect(rows()).toEqual(history.texts);
  });

  it('keeps the order of a source whose clock goes backwards', () => {
    open();
    feed.append(1, [
      [1, 100, 1, null, 'first', 0],
      [2, 50, 1, null, 'second', 0],
    ]);
    feed.append(2, [[1, 70, 1, null, 'other', 0]]);
    expect(rows()).toEqual(['other', 'first', 'second']);
  });

  it('ignores duplicates of the socket and the page', async () => {
    history.write(1, 10);
    feed.append(1, [history.write(1, 20), history.write(1, 30)]);
    open();
    feed.append(1, [history.write(1, 40)]);
    // A new subscription.
    feed.append(1, [[3, 30, 1, null, '1 at 30', 0]]);
    await expectExact();
  });

  it('keeps lines received after the page was read', async () => {
    for (let time = 1; time <= 600; time += 1) history.write(1, time);
    const page = history.newest();
    feed.append(2, [history.write(2, 700)]);
    feed.append(1, [history.write(1, 701)]);
    feed.synchronize(page);
    expect(text(feed.end - 2)).toBe('2 at 700');
    await expectExact();
  });

  it('drops received lines that are older than the page and not in it', async () => {
    for (let time = 1; time <= 300; time += 1) history.write(2, time);
    feed.append(2, [history.write(2, 400)]);
    for (let time = 500; time < 1100; time += 1) history.write(1, time);
    open();
    await expectExact();
  });

  it('inserts a late line before the tail, and reloads the rows after it', async () => {
    for (let time = 1; time <= 1200; time += 1) history.write(1, time * 10);
    open();
    await look(300, 320);
    feed.append(2, [history.write(2, 3055, 'late')]);
    await look(300, 320);
    expect(text(306)).toBe('late');
    expect(feed.find({ source: 1, seq: 306 })).toBe(307);
    await expectExact();
  });

  it('shows skipped lines as a gap, and is exact again after synchronize', async () => {
    open();
    feed.append(1, [history.write(1, 10)]);
    for (let time = 11; time <= 20; time += 1) history.write(1, time);
    feed.skip(1, 2, 11);
    feed.append(1, [history.write(1, 21)]);
    expect(rows()).toEqual(['1 at 10', 'gap of 10', '1 at 21']);
    expect([feed.arrived, feed.skipped]).toEqual([12, 10]);
    open();
    expect(feed.row(2)?.kind).toBe('line');
    await expectExact();
  });

  it('counts skipped lines once', () => {
    open();
    feed.append(1, [history.write(1, 10), history.write(1, 11)]);
    feed.skip(1, 1, 5);
    expect(rows()).toEqual(['1 at 10', '1 at 11', 'gap of 3']);
    feed.skip(1, 3, 5);
    expect(rows()).toHaveLength(3);
  });

  it('keeps the part of a gap that is not in the page', () => {
    open();
    feed.append(1, [history.write(1, 10)]);
    for (let time = 11; time <= 13; time += 1) history.write(1, time);
    feed.skip(1, 2, 7);
    open();
    expect(rows()).toEqual(['1 at 10', '1 at 11', '1 at 12', '1 at 13', 'gap of 3']);
  });

  it('moves the oldest rows of a long tail to pages with the same numbers', async () => {
    open();
    for (let batch = 0; batch < 24; batch += 1) {
      feed.append(
        1,
        Array.from({ length: 500 }, (_, index) => history.write(1, batch * 500 + index)),
      );
    }
    expect(feed.end).toBe(12_001);
    await expectExact();
    // Most rows stay in memory.
    expect(history.asked.length).toBeLessThanOrEqual(1);
  });

  it('is approximate after a gap has left the tail, and exact again after synchronize', async () => {
    open();
    feed.append(1, [history.write(1, 1)]);
    for (let time = 2; time <= 4; time += 1) history.write(1, time);
    feed.skip(1, 2, 4);
    feed.append(
      1,
      Array.from({ length: 5500 }, (_, index) => history.write(1, 10 + index)),
    );
    expect(feed.isApproximate).toBe(true);
    expect(feed.end - 1).toBe(history.texts.length);
    open();
    expect(feed.isApproximate).toBe(false);
    await expectExact();
  });

  it('removes deleted lines', async () => {
    for (let time = 1; time <= 1500; time += 1) history.write(1, time);
    open();
    history.first = 700;
    feed.forgetBefore(700);
    await expectExact();
    // The tail stays until the server reports its deletion.
    feed.forgetBefore(3);
    expect(feed.first).toBe(700);
    feed.forgetBefore(1490);
    expect(feed.first).toBe(1001);
  });

  it('learns from a page that older lines were deleted, and stops requesting them', async () => {
    for (let time = 1; time <= 1500; time += 1) history.write(1, time);
    open();
    history.first = 800;
    await look(200, 240);
    expect(feed.first).toBe(800);
    expect(history.asked).toHaveLength(1);
    await look(800, 840);
    expect(text(800)).toBe('1 at 800');
  });

  it('repeats a failed request after a delay', async () => {
    for (let time = 1; time <= 1500; time += 1) history.write(1, time);
    open();
    history.fails = true;
    await look(10, 20);
    await look(10, 21);
    expect(history.asked).toHaveLength(1);
    history.fails = false;
    await jest.advanceTimersByTimeAsync(2100);
    expect(text(10)).toBe('1 at 10');
  });

  it('continues a response that ended early', async () => {
    for (let time = 1; time <= 1700; time += 1) history.write(1, time);
    history.room = 120;
    open();
    expect([feed.first, feed.end, text(1580), text(1581)]).toEqual([1, 1701, undefined, '1 at 1581']);
    await look(990, 999);
    expect(history.asked).toEqual([
      { position: 500, limit: 500 },
      { position: 620, limit: 380 },
      { position: 740, limit: 260 },
      { position: 860, limit: 140 },
      { position: 980, limit: 20 },
    ]);
    expect([text(500), text(999)]).toEqual(['1 at 500', '1 at 999']);
    await expectExact();
  });

  it('limits the number of pages', async () => {
    const page = (position: number, limit: number): MergedPageDto => ({
      position,
      first: 1,
      end: 1_000_001,
      lines: Array.from({ length: limit }, (_, index) => [
        1,
        position + index,
        position + index,
        1,
        null,
        'x',
        0,
      ]),
    });
    let asked = 0;
    feed = new MergedLines([1], {
      load: (position, limit) => {
        asked += 1;
        return Promise.resolve(page(position, limit));
      },
      changed: () => undefined,
    });
    feed.synchronize(page(999_501, 500));
    for (let at = 500; at < 50_000; at += 500) await look(at, at + 10);
    expect(asked).toBe(99);
    let held = 0;
    for (let at = 500; at < 50_000; at += 500) held += feed.row(at) ? 1 : 0;
    expect(held).toBe(40);
    // The last visible rows stay.
    expect(feed.row(49_500)).toBeDefined();
  });
});
