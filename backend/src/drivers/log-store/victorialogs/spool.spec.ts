import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SourceIdentity } from '../log-source.js';
import { Spool } from './spool.js';
import { SpoolStore, type Block, type SourceRecord } from './spool.store.js';

const TIME = 1_795_000_000_000_000;

function sourceOf(id: number): SourceRecord {
  const identity = { key: `container/docker/${id}` } as SourceIdentity;
  return { id, identity, firstSeq: 1, nextSeq: 1, bytes: 0, firstTime: null, lastTime: 0, hiddenBelow: 1 };
}

describe('Spool', () => {
  let folder: string;
  let spool: Spool;
  let discarded: Block[];
  let sources: SourceRecord[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-spool-'));
    sources = [sourceOf(1), sourceOf(2)];
    discarded = [];
    spool = open();
  });

  afterEach(() => {
    spool.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function open(maxBytes = 1e9): Spool {
    const file = SpoolStore.open(join(folder, 'spool.db'));
    return new Spool(
      file,
      file.identify(() => 'store'),
      maxBytes,
      {
        onBlocks: () => undefined,
        onDiscard: (blocks) => discarded.push(...blocks),
      },
    );
  }

  function append(source: SourceRecord, text: string, effective: number): void {
    const line = { time: effective, stream: null, level: null, text, cut: 0, continues: false };
    spool.append(source, effective, { ...line, seq: source.nextSeq });
    Object.assign(source, { nextSeq: source.nextSeq + 1, lastTime: effective });
    spool.touch(source);
  }

  function textsOf(order: 'oldest' | 'newest'): string[] {
    const view = spool.view(new Set([1, 2]));
    const range = { order, from: -Infinity, to: Infinity, after: null };
    const texts = [...view.ordered(range)].map(({ line }) => line.text);
    view.release();
    return texts;
  }

  it('returns lines in the order of a merge, before and after they are written', () => {
    const [one, two] = sources as [SourceRecord, SourceRecord];
    append(one, 'a', TIME);
    append(two, 'c', TIME + 2);
    spool.write();
    append(one, 'b', TIME + 1);
    append(one, 'd', TIME + 2);
    expect(textsOf('oldest')).toEqual(['a', 'b', 'd', 'c']);
    spool.write();
    expect(textsOf('newest')).toEqual(['c', 'd', 'b', 'a']);
  });

  it('keeps lines, numbers and ids of blocks when it is opened again', () => {
    const [one] = sources as [SourceRecord];
    append(one, 'a', TIME);
    spool.close();
    spool = open();
    expect(textsOf('oldest')).toEqual(['a']);
    spool.confirm(Infinity);
    append(one, 'b', TIME);
    spool.write();
    expect(spool.take(0, 1e9).map(({ id, firstSeq }) => [id, firstSeq])).toEqual([[2, 2]]);
  });

  it('keeps confirmed blocks until the readers that began before have ended', () => {
    const [one] = sources as [SourceRecord];
    append(one, 'a', TIME);
    spool.write();
    const view = spool.view(new Set([1]));
    spool.confirm(2);
    expect(view.find(1, 1)?.line.text).toBe('a');
    expect(textsOf('oldest')).toEqual([]);
    view.release();
    expect(spool.bytes).toBe(0);
  });

  it('discards the oldest blocks when it is full', () => {
    const [one] = sources as [SourceRecord];
    spool.close();
    spool = open(1000);
    for (let n = 0; n < 5; n += 1) {
      append(one, `${n} ${'x'.repeat(200)}`, TIME);
      spool.write();
    }
    expect(spool.bytes).toBeLessThanOrEqual(1000);
    expect(textsOf('oldest').map(([first]) => first)).toEqual(['2', '3', '4']);
    expect(discarded.map(({ firstSeq }) => firstSeq)).toEqual([1, 2]);
  });

  it('does not return lines to a reader that were appended after it began', () => {
    const [one] = sources as [SourceRecord];
    append(one, 'a', TIME);
    const view = spool.view(new Set([1]));
    append(one, 'b', TIME);
    spool.write();
    const entries = [...view.bySeq(1, 1, 10, 'oldest')];
    view.release();
    expect(entries.map(({ line }) => line.text)).toEqual(['a']);
  });

  it('cuts a burst into several blocks', () => {
    const [one] = sources as [SourceRecord];
    for (let n = 0; n < 4500; n += 1) append(one, 'x', TIME + n);
    spool.write();
    expect(spool.take(0, 1e9).map(({ firstSeq, endSeq }) => endSeq - firstSeq)).toEqual([2000, 2000, 500]);
  });
});
