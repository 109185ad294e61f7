import { beforeEach, describe, expect, it } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import type { MergedPageDto, WireLine } from '../../../shared/api/api-types';
import { EIGHT } from '../testing/make-line';
import type { LineReader } from './line-subscriptions';
import { LineSubscriptions } from './line-subscriptions';
import { LinesApi, type PagePlace } from './lines-api';
import { LiveLines, MOST_FOLLOWED, type OpenedSource } from './live-lines';

/** Subscriptions, which all stand or not. */
class FakeSubscriptions {
  readonly readers = new Set<LineReader>();
  /** Those that are followed, in the order in which that began. */
  readonly followed: number[] = [];
  stands = false;

  follow(source: number, reader: LineReader): () => void {
    this.readers.add(reader);
    this.followed.push(source);
    if (this.stands) reader.began(source);
    return () => {
      this.followed.splice(this.followed.indexOf(source), 1);
      if (this.followed.length === 0 || source === 7) this.readers.delete(reader);
    };
  }

  get only(): LineReader {
    const [reader, ...more] = this.readers;
    if (!reader || more.length > 0) throw new Error(`there are ${this.readers.size} readers`);
    return reader;
  }

  begin(): void {
    this.stands = true;
    this.only.began(7);
  }
}

function wire(seq: number, text: string): WireLine {
  return [seq, EIGHT + seq * 1000, 1, null, text, 0];
}

function source(id: number, state: OpenedSource['state'] = 'live', next_seq = 1): OpenedSource {
  return { id, state, next_seq };
}

describe('LiveLines', () => {
  let subscriptions: FakeSubscriptions;
  let kept: string[];
  let asked: PagePlace[];
  let live: LiveLines;

  beforeEach(() => {
    subscriptions = new FakeSubscriptions();
    kept = ['one', 'two', 'three'];
    asked = [];
    const api: Pick<LinesApi, 'merged'> = {
      merged: (sources, place): Promise<MergedPageDto> => {
        expect(sources).toContain(7);
        asked.push(place);
        const lines = kept.map((text, index) => [7, ...wire(index + 1, text)] as [number, ...WireLine]);
        return Promise.resolve({ position: 1, first: 1, end: kept.length + 1, lines });
      },
    };
    TestBed.configureTestingModule({
      providers: [
        LiveLines,
        { provide: LinesApi, useValue: api },
        { provide: LineSubscriptions, useValue: subscriptions },
      ],
    });
    live = TestBed.inject(LiveLines);
  });

  async function settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
  }

  function texts(): (string | undefined)[] {
    return Array.from({ length: live.end - live.first }, (_, index) => {
      const row = live.row(live.first + index);
      return row?.kind === 'line' ? row.text : row?.kind;
    });
  }

  it('opens with the newest page once the subscription stands, and grows', async () => {
    live.open([source(7)]);
    expect([live.state(), asked]).toEqual(['opening', []]);
    subscriptions.begin();
    await settle();
    expect([live.state(), asked, texts()]).toEqual(['open', ['end'], ['one', 'two', 'three']]);
    subscriptions.only.lines(7, [wire(4, 'four')]);
    subscriptions.only.skipped(7, 5, 9);
    expect([texts(), live.arrived, live.skipped]).toEqual([['one', 'two', 'three', 'four', 'gap'], 6, 5]);
    live.open([source(7)]);
    expect(asked).toHaveLength(1);
  });

  it('begins anew where lines that it shows are others now', async () => {
    live.open([source(7)]);
    subscriptions.begin();
    await settle();
    const before = subscriptions.only;
    before.lines(7, [wire(4, 'four, which was lost')]);
    kept = ['one', 'two', 'three', 'another fourth'];
    before.changed(7);
    expect(subscriptions.only).not.toBe(before);
    await settle();
    subscriptions.only.lines(7, [wire(4, 'another fourth'), wire(5, 'five')]);
    expect([live.state(), texts()]).toEqual(['open', ['one', 'two', 'three', 'another fourth', 'five']]);
    // Who was let go of says nothing any more.
    before.changed(7);
    await settle();
    expect(asked).toHaveLength(2);
  });

  it('follows nothing that is gone, and opens though nothing is followed', async () => {
    live.open([source(7, 'gone', 4)]);
    await settle();
    expect([subscriptions.followed, live.state(), texts()]).toEqual([[], 'open', ['one', 'two', 'three']]);
  });

  it('follows what is gone once it comes back or has more, and reads what it missed', async () => {
    live.open([source(7, 'gone', 4)]);
    await settle();
    live.open([source(7, 'gone', 4)]);
    expect(subscriptions.followed).toEqual([]);
    kept.push('four');
    live.open([source(7, 'gone', 5)]);
    expect(subscriptions.followed).toEqual([7]);
    subscriptions.begin();
    await settle();
    expect(texts()).toEqual(['one', 'two', 'three', 'four']);
    subscriptions.only.lines(7, [wire(5, 'five')]);
    // What it still has to say when it is gone again is heard.
    live.open([source(7, 'gone', 6)]);
    expect(subscriptions.followed).toEqual([7]);
    expect(texts()).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  it('follows the live and the newest of very many first, and says how many are left out', async () => {
    const gone = Array.from({ length: 1500 }, (_, index) => source(index + 10_000, 'gone', 9));
    const quiet = Array.from({ length: MOST_FOLLOWED }, (_, index) => source(index + 100, 'waiting'));
    subscriptions.stands = true;
    live.open([...gone, source(7), source(8), ...quiet]);
    await settle();
    expect(subscriptions.followed.slice(0, 3)).toEqual([8, 7, MOST_FOLLOWED + 99]);
    expect([subscriptions.followed.length, live.unfollowed(), live.state()]).toEqual([1000, 2, 'open']);
    // Room that one makes which is gone goes to one that waits for it.
    live.open([...gone, source(7), source(8, 'gone', 3), ...quiet]);
    expect(subscriptions.followed).not.toContain(8);
    expect([subscriptions.followed.length, live.unfollowed()]).toEqual([1000, 1]);
  });

  it('says how many the server does not tell of, and opens all the same', async () => {
    live.open([source(7), source(9)]);
    subscriptions.only.failed(9, 'too many');
    expect(live.unfollowed()).toBe(1);
    subscriptions.begin();
    await settle();
    expect(live.state()).toBe('open');
    subscriptions.only.began(9);
    expect(live.unfollowed()).toBe(0);
  });

  it('reads what it missed of one that the server told nothing of before', async () => {
    live.open([source(7)]);
    subscriptions.only.failed(7, 'One socket follows up to 1,000 sources.');
    await settle();
    expect([live.unfollowed(), asked.length]).toEqual([1, 1]);
    kept.push('four, of which nobody told');
    subscriptions.begin();
    await settle();
    expect([live.unfollowed(), texts().at(-1)]).toEqual([0, 'four, of which nobody told']);
  });

  it('lets go of everything where nothing is chosen', () => {
    live.open([source(7)]);
    live.open([]);
    expect([live.state(), subscriptions.readers.size]).toEqual(['nothing chosen', 0]);
  });
});
