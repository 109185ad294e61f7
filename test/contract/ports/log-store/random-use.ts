import { describe, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { LEVELS, type NewLogLine } from '../../../../backend/src/drivers/log-store/log-line.js';
import type { LogSearch } from '../../../../backend/src/drivers/log-store/log-query.js';
import { newLine, Random, START } from '../../../support/logs/log-store.js';
import { MirroredStore, type LogStoreUnderTest } from '../../support/mirrored-store.js';

const SEEDS = [1, 2026];
const STEPS = 250;
/** A slow store takes fewer steps. */
const TIME_MS = 1500;
const SOURCES = ['a', 'b', 'c', 'd'];
const WORDS = [
  'GET',
  'timeout',
  'Grüße',
  '😀',
  'status=503',
  'status=200',
  '日本',
  '"',
  '\\',
  '(x)',
  ' ',
  'ПРИВЕТ',
];
const TEXTS = ['timeout', 'get', 'grüße', '😀', 'status=5', 'привет', '日', '"', '\\', '(x)', 't s'];
const REGEXES = ['time(out)?', 'status=[0-9]{3}', '^get', '503$', 'gr.{1,2}e', '\\(x\\)'];

export function describeRandomUse(subject: LogStoreUnderTest): void {
  describe('random use', () => {
    it.each(SEEDS)('gives the results of the model (seed %i)', async (seed) => {
      const mirror = await MirroredStore.open(subject);
      try {
        const use = new RandomUse(mirror, new Random(seed));
        const end = performance.now() + TIME_MS;
        for (let step = 0; step < STEPS && performance.now() < end; step += 1) await use.step();
        await mirror.inEachState(() => mirror.expectSame());
      } finally {
        await mirror.remove();
      }
    });
  });
}

/** Random operations on a store and its model. */
class RandomUse {
  private time = START;

  constructor(
    private readonly mirror: MirroredStore,
    private readonly random: Random,
  ) {
    mirror.source('a');
  }

  async step(): Promise<void> {
    const { mirror, random } = this;
    const { ids } = mirror;
    const id = random.of(ids);
    const { firstSeq = 1, nextSeq = 1 } = mirror.model.extent(id) ?? {};
    const some = ids.filter(() => random.next() < 0.7);
    const position = random.between(-3, ids.length * nextSeq + 5);
    const choice = random.next();
    if (choice < 0.3) {
      mirror.append(
        id,
        Array.from({ length: random.between(1, 60) }, () => this.line()),
      );
    } else if (choice < 0.34) mirror.source(random.of(SOURCES));
    else if (choice < 0.42) await mirror.store.flush();
    else if (choice < 0.45) await this.pause();
    else if (choice < 0.47) await this.reopen();
    else if (choice < 0.48) await mirror.delete(id);
    else if (choice < 0.53) {
      await mirror.expectLines(id, random.between(0, nextSeq + 3), random.between(0, 50));
    } else if (choice < 0.68) {
      const limits = random.next() < 0.2 ? { characters: random.between(1, 20) } : {};
      await mirror.expectPage(some, some.length === 0 ? 1 : position, {
        before: random.between(0, 20),
        after: random.between(0, 20),
        ...limits,
      });
    } else if (choice < 0.73) {
      if (firstSeq < nextSeq) {
        await mirror.expectPositionOf(ids, id, random.between(firstSeq, nextSeq - 1));
      }
    } else if (choice < 0.78) await mirror.expectTime(ids, this.someTime());
    else if (choice < 0.93) await mirror.search(this.search());
    else if (choice < 0.98) await mirror.histogram(this.search(), random.between(1, 20));
    else mirror.expectSources();
  }

  private async reopen(): Promise<void> {
    await this.mirror.reopen();
    for (const { identity } of this.mirror.store.sources()) this.mirror.source(identity);
  }

  private async pause(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  }

  private line(): NewLogLine {
    const { random } = this;
    if (random.next() < 0.7) this.time += random.between(0, 500);
    const time = random.next() < 0.1 ? this.time - random.between(0, 20_000) : this.time;
    const text = Array.from({ length: random.between(0, 6) }, () => random.of(WORDS)).join(
      random.of(['', ' ']),
    );
    return newLine(text, time, {
      level: random.of([...LEVELS, null]),
      stream: random.of(['stdout', 'stderr', null]),
      cut: random.next() < 0.05 ? random.between(1, 1e6) : 0,
      continues: random.next() < 0.1,
    });
  }

  private someTime(): number {
    return this.random.between(START - 1000, this.time + 1000);
  }

  private search(): Partial<LogSearch> {
    const { random, mirror } = this;
    const search: Partial<LogSearch> = {
      order: random.of(['newest', 'oldest']),
      matchCase: random.next() < 0.3,
    };
    const often = (share: number): boolean => random.next() < share;
    if (often(0.7)) {
      search.regex = often(0.4);
      search.text = random.of(search.regex ? REGEXES : TEXTS);
    }
    if (often(0.2)) search.without = [random.of(TEXTS)];
    if (often(0.3)) search.levels = [random.of([...LEVELS, 'none' as const]), 'info'];
    if (often(0.2)) search.streams = [random.of(['stdout', 'stderr'] as const)];
    if (often(0.2)) search.fields = [{ name: 'status', value: '503' }];
    if (often(0.1)) search.withoutFields = [{ name: 'status', value: '200' }];
    if (often(0.3)) search.from = this.someTime();
    if (often(0.3)) search.to = this.someTime();
    if (often(0.3)) search.sources = mirror.ids.filter(() => often(0.5));
    if (often(0.5)) search.limit = random.between(1, 40);
    if (often(0.2)) search.bytes = random.between(1, 500);
    if (often(0.3)) {
      const source = random.of(mirror.ids);
      const seq = random.between(1, mirror.model.extent(source)?.nextSeq ?? 1);
      search.cursor = { source, seq, time: this.someTime() };
    }
    return search;
  }
}
