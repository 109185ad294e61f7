import { join } from 'node:path';
import type { HistoryOptions } from '../../../backend/src/modules/log-sources/history/index.js';
import { BlockStore } from '../../../backend/src/modules/log-sources/history/block.store.js';
import { unpackEntries } from '../../../backend/src/modules/log-sources/history/entry.js';
import { FrameReader } from '../../../backend/src/modules/log-sources/history/frame-reader.js';
import type {
  OwnerAnswer,
  OwnerData,
  OwnerRequest,
} from '../../../backend/src/modules/log-sources/history/owner-messages.js';
import { SegmentOwner } from '../../../backend/src/modules/log-sources/history/segment-owner.js';
import { SourceLines } from '../../../backend/src/modules/log-sources/history/source-lines.js';
import { identityOf, newLine, SMALL, START } from './history.js';

type Batch = NonNullable<ReturnType<SourceLines['seal']>>;

/**
 * The owner of a folder without its thread: it does one step after the other, and between two of them the folder is
 * what a killed process leaves.
 */
export class OwnerSteps {
  readonly sources = new Map<number, SourceLines>();
  /** What was told that could not be done. */
  readonly troubles: string[] = [];
  /** All answers but those, since they were looked at last. */
  answers: OwnerAnswer[] = [];
  /** Segments that nobody names any more, and of which the owner does not know so yet. */
  readonly unneeded: string[] = [];
  notice: string | null = null;
  private readonly owner: SegmentOwner;
  private readonly batches = new Map<number, Batch>();
  private lastBatch = 0;

  constructor(folder: string, { plainBytes = 0, segmentBytes = 0 }: HistoryOptions = SMALL) {
    const data: OwnerData = { folder, plainBytes, segmentBytes, goesOn: false };
    this.owner = new SegmentOwner(data, (answer) => this.hear(answer));
    this.owner.begin();
  }

  get hasRoom(): boolean {
    return this.owner.hasRoom;
  }

  get isWasteful(): boolean {
    return this.owner.isWasteful;
  }

  handle(request: OwnerRequest): void {
    this.owner.handle(request);
  }

  add(id: number, name: string): SourceLines {
    const identity = identityOf(name);
    const source = new SourceLines(id, identity, { firstSeq: 1, nextSeq: 1, lastTime: 0 });
    this.sources.set(id, source);
    this.handle({ type: 'source', id, identity });
    return source;
  }

  /** @returns the number of the batch. */
  write(source: SourceLines, texts: readonly string[]): number {
    source.append(texts.map((text, index) => newLine(text, START + source.nextSeq + index)));
    const entry = source.seal();
    if (!entry) throw new Error('there is nothing to write');
    this.lastBatch += 1;
    this.batches.set(this.lastBatch, entry);
    this.send(this.lastBatch);
    return this.lastBatch;
  }

  /** Sends a batch, perhaps again. */
  send(batch: number): void {
    const entry = this.batches.get(batch);
    if (!entry) throw new Error(`there is no batch ${batch}`);
    this.handle({ type: 'write', batch, bytes: Buffer.from(entry.place.bytes), sources: [entry.source] });
  }

  /** Drops the oldest entries of a source. */
  forget(source: SourceLines, entries: number): void {
    source.drop(entries);
    this.tellFloor(source, false);
  }

  /** Deletes all lines of a source. */
  delete(source: SourceLines): void {
    source.dropAll();
    this.tellFloor(source, true);
  }

  private tellFloor({ id: source, firstSeq, nextSeq, lastTime }: SourceLines, forGood: boolean): void {
    this.handle({ type: 'forget', floors: [{ source, firstSeq, nextSeq, lastTime }], forGood });
  }

  /** Tells the owner of one segment that nobody needs it. @returns whether there was one. */
  release(): boolean {
    const file = this.unneeded.shift();
    if (file !== undefined) this.handle({ type: 'released', file });
    return file !== undefined;
  }

  /** @param now the end of time, unless it is said: nobody waits for the owner to have rested. */
  tidy(now = Infinity): boolean {
    return this.owner.tidy(now);
  }

  /** Does all that there is to do. */
  finish(): void {
    while (this.tidy() || this.release());
  }

  close(): void {
    this.handle({ type: 'close' });
  }

  private hear(answer: OwnerAnswer): void {
    if (answer.type === 'trouble' || answer.type === 'failed') this.troubles.push(answer.reason);
    if (answer.type !== 'trouble') this.answers.push(answer);
    if (answer.type === 'opened') {
      this.notice = answer.notice;
      for (const source of answer.sources) {
        this.sources.set(source.id, new SourceLines(source.id, source.identity, source));
      }
      for (const entry of unpackEntries(answer.entries)) this.sources.get(entry.source)?.restore(entry);
    }
    if (answer.type === 'written') {
      const entry = this.batches.get(answer.batch);
      if (!entry) throw new Error(`nobody sent batch ${answer.batch}`);
      const place = { kind: 'segment' as const, file: answer.file, at: answer.at };
      Object.assign(entry, {
        place: { ...place, length: entry.place.bytes.length, bytes: entry.place.bytes },
      });
    }
    if (answer.type === 'replaced') {
      const bySource = Map.groupBy(unpackEntries(answer.entries), ({ source }) => source);
      for (const source of this.sources.values()) source.replace(answer.file, bySource.get(source.id) ?? []);
      this.unneeded.push(answer.file);
    }
  }
}

/** The lines that a folder gives back: texts by their numbers, by who wrote them. */
export async function linesIn(
  folder: string,
): Promise<{ lines: Map<number, Map<number, string>>; notice: string | null; troubles: string[] }> {
  const steps = new OwnerSteps(folder);
  const reader = new FrameReader(join(folder, 'logs'), () => BlockStore.reader(join(folder, 'logs.db')));
  const lines = new Map<number, Map<number, string>>();
  try {
    for (const { id, entries } of steps.sources.values()) {
      const texts = new Map<number, string>();
      lines.set(id, texts);
      for (const entry of entries) {
        const frame = await reader.read(entry);
        for (let index = 0; index < (frame?.header.count ?? 0); index += 1) {
          const line = frame?.line(index);
          if (line) texts.set(line.seq, line.text);
        }
      }
    }
    return { lines, notice: steps.notice, troubles: steps.troubles };
  } finally {
    reader.close();
    steps.close();
  }
}
