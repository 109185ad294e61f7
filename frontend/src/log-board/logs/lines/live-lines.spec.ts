import { beforeEach, describe, expect, it } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import type { MergedPageDto, WireLine } from '../../../shared/api/api-types';
import { EIGHT } from '../testing/make-line';
import type { LineReader } from './line-subscriptions';
import { LineSubscriptions } from './line-subscriptions';
import { LinesApi, type PagePlace } from './lines-api';
import { LiveLines } from './live-lines';

/** One subscription, which stands or not. */
class FakeSubscriptions {
  readonly readers = new Set<LineReader>();
  stands = false;

  follow(source: number, reader: LineReader): () => void {
    if (source !== 7) throw new Error(`nobody spoke of source ${source}`);
    this.readers.add(reader);
    if (this.stands) reader.began(source);
    return () => void this.readers.delete(reader);
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
        expect(sources).toEqual([7]);
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
    live.open([7]);
    expect([live.state(), asked]).toEqual(['opening', []]);
    subscriptions.begin();
    await settle();
    expect([live.state(), asked, texts()]).toEqual(['open', ['end'], ['one', 'two', 'three']]);
    subscriptions.only.lines(7, [wire(4, 'four')]);
    subscriptions.only.skipped(7, 5, 9);
    expect([texts(), live.arrived, live.skipped]).toEqual([['one', 'two', 'three', 'four', 'gap'], 6, 5]);
    live.open([7]);
    expect(asked).toHaveLength(1);
  });

  it('begins anew where lines that it shows are others now', async () => {
    live.open([7]);
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

  it('lets go of everything where nothing is chosen', () => {
    live.open([7]);
    live.open([]);
    expect([live.state(), subscriptions.readers.size]).toEqual(['nothing chosen', 0]);
  });
});
