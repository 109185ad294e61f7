import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedLogStore } from '../../backend/src/drivers/log-store/embedded/embedded-log-store.js';
import {
  findIn,
  identityOf,
  newLine,
  NO_LIMITS,
  Random,
  searchOf,
  START,
} from '../support/logs/log-store.js';
import { waitFor } from '../support/wait-for.js';

const WRITER = fileURLToPath(new URL('../support/logs/write-lines.mjs', import.meta.url));
/** How long each process writes before it is killed, to hit different times of the flush interval of 100 ms. */
const LIVES_MS = [370, 640, 815, 1290];
/** Few uncompressed bytes, so that blocks of all kinds exist. */
const OPTIONS = { uncompressedBytes: 64 * 1024 };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-store-faults-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Written {
  source: number;
  seq: number;
  text: string;
  at: number;
}

/** Output of a process before it was killed. */
interface Life {
  run: number;
  /** Next number of both sources at its start. */
  next: number[];
  written: Written[];
  killedAt: number;
}

/** Starts a process that writes, and kills it. */
async function writeUntilKilled(path: string, milliseconds: number): Promise<Life> {
  const writer = spawn(process.execPath, [WRITER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(writer, 'close');
  const life: Life = { run: 0, next: [], written: [], killedAt: 0 };
  createInterface({ input: writer.stdout }).on('line', (text) => {
    // The last line may be incomplete.
    if (!text.endsWith('}')) return;
    const message = JSON.parse(text) as
      Pick<Life, 'run' | 'next'> | { source: number; first: number; texts: string[]; at: number };
    if ('run' in message) Object.assign(life, message);
    else {
      const { source, first, texts, at } = message;
      life.written.push(...texts.map((line, index) => ({ source, seq: first + index, text: line, at })));
    }
  });
  try {
    await waitFor(() => life.written.length > 0, 'the first lines');
    await delay(milliseconds);
  } finally {
    life.killedAt = Date.now();
    writer.kill('SIGKILL');
    await ended;
  }
  return life;
}

describe('SIGKILL while lines are written', () => {
  it('loses at most the last second, leaves no gaps, and reports reused numbers', async () => {
    const lives: Life[] = [];
    for (const milliseconds of LIVES_MS) lives.push(await writeUntilKilled(folder, milliseconds));
    const store = await openEmbeddedLogStore(folder, NO_LIMITS, OPTIONS);
    try {
      expect(store.notice).toBeNull();
      let lost = 0;
      for (const [index, { id }] of store.sources().entries()) {
        const { firstSeq, nextSeq = 1 } = store.extent(id) ?? {};
        expect(firstSeq).toBe(1);
        const lines = await store.lines(id, 1, nextSeq);
        expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: nextSeq - 1 }, (_, at) => at + 1));
        for (const [round, { run, written, killedAt }] of lives.entries()) {
          const own = written.filter(({ source }) => source === id);
          const changed = store.changedFrom(id, run);
          expect(changed).toBe(lives[round + 1]?.next[index] ?? nextSeq);
          for (const { seq, text } of own) {
            expect([seq, lines[seq - 1]?.text === text]).toEqual([seq, seq < changed]);
          }
          const missing = own.filter(({ seq }) => seq >= changed);
          for (const { at } of missing) expect(killedAt - at).toBeLessThan(1000);
          lost += missing.length;
        }
      }
      // Otherwise this test proves nothing.
      expect(lost).toBeGreaterThan(0);
    } finally {
      await store.close();
    }
  });
});

const LINES = 3000;

function textOf(source: number, seq: number): string {
  return `source ${source} line ${seq} ${new Random(source * 100_000 + seq).text(60)}`;
}

/** Writes two sources. @returns copies of the folder, as after SIGKILL and after `close` */
async function writtenFolders(outer: string): Promise<{ killed: string; closed: string }> {
  const original = join(outer, 'original');
  mkdirSync(original);
  const store = await openEmbeddedLogStore(original, NO_LIMITS, OPTIONS);
  const ids = ['a', 'b'].map((name) => store.source(identityOf(name)));
  for (let first = 1; first <= LINES; first += 50) {
    for (const id of ids) {
      const lines = Array.from({ length: 50 }, (_, index) =>
        newLine(textOf(id, first + index), START + first + index),
      );
      store.append(id, lines);
    }
    if (first % 250 === 1) await store.flush();
  }
  await store.flush();
  // Blocks are merged and compressed in the background.
  await delay(1500);
  const killed = join(outer, 'killed');
  cpSync(original, killed, { recursive: true, filter: (path) => !path.endsWith('-shm') });
  await store.close();
  return { killed, closed: original };
}

function databaseIn(path: string): string {
  const file = readdirSync(path).find((name) => name.endsWith('.db'));
  if (file === undefined) throw new Error(`There is no database in ${path}.`);
  return join(path, file);
}

function rootPages(file: string): { name: string; page: number }[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database
      .prepare('SELECT name, rootpage AS page FROM sqlite_schema WHERE rootpage > 0')
      .all();
    return rows as { name: string; page: number }[];
  } finally {
    database.close();
  }
}

interface Opened {
  counts: number[];
  notice: string | null;
}

/**
 * Opens a damaged folder. Expects that it returns only written lines, accepts new ones and keeps them.
 * @param isChecked whether SQLite notices the damage; it has no checksums of pages
 */
async function openDamaged(path: string, about: object, isChecked = true): Promise<Opened> {
  let store = await openEmbeddedLogStore(path, NO_LIMITS, OPTIONS);
  try {
    const { notice } = store;
    const known = store.sources();
    const ids = known.map(({ id }) => id);
    const counts: number[] = [];
    for (const { id, identity } of known) {
      const written = identity.name === 'a' ? 1 : 2;
      const lines = await store.lines(id, 1, 10_000);
      const wrong = lines.filter(
        ({ seq, text, time }) => text !== textOf(written, seq) || time !== START + seq,
      );
      if (isChecked) expect({ about, wrong: wrong.slice(0, 1) }).toEqual({ about, wrong: [] });
      const seqs = lines.map(({ seq }) => seq);
      expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
      counts.push(lines.length);
    }
    // Searches and pages work on the remaining lines.
    const total = counts.reduce((sum, count) => sum + count, 0);
    const { matches, end } = await findIn(store, {});
    expect({ about, found: matches.length, reason: end?.reason }).toEqual({
      about,
      found: total,
      reason: 'complete',
    });
    const counted = await store.histogram(searchOf({}), 1, new AbortController().signal);
    expect({ about, reason: counted.reason }).toEqual({ about, reason: 'complete' });
    const page = await store.page(ids, Infinity, { before: 10_000, after: 0 });
    expect({ about, page: page.lines.length }).toEqual({ about, page: total });
    const id = store.source(identityOf('new'));
    const first = store.append(id, [newLine('new line', START)]);
    // If SQLite detects damage during a write, the file is set aside.
    await waitFor(
      async () => {
        await store.flush();
        return store.status().state === 'ok' && store.status().pendingBytes === 0;
      },
      `${JSON.stringify({ about, status: store.status() })}: that lines can be written`,
    );
    await store.close();
    store = await openEmbeddedLogStore(path, NO_LIMITS, OPTIONS);
    const read = await store.lines(store.source(identityOf('new')), 1, 10);
    expect({ about, read: read.map(({ seq, text }) => [seq, text]) }).toEqual({
      about,
      read: [[first, 'new line']],
    });
    return { counts, notice };
  } finally {
    await store.close();
  }
}

/** Expects that the file of a notice exists. */
function expectSetAside({ notice, counts }: Opened, path: string): void {
  if (notice === null) return;
  const [named] = /\/\S*[^\s.,)]/.exec(notice) ?? [];
  expect(notice).toMatch(/^[A-Z].*\.$/s);
  expect(named !== undefined && dirname(named) === path && existsSync(named)).toBe(true);
  expect(counts).toEqual([]);
}

const SEED = Math.floor(Math.random() * 1e6);

describe('a damaged file of the embedded log store', () => {
  let outer: string;
  let killed: string;
  let closed: string;

  beforeAll(async () => {
    outer = mkdtempSync(join(tmpdir(), 'log-store-written-'));
    ({ killed, closed } = await writtenFolders(outer));
  });

  afterAll(() => rmSync(outer, { recursive: true, force: true }));

  it('is complete after SIGKILL, without the shared memory of its WAL', async () => {
    const copy = join(folder, 'copy');
    cpSync(killed, copy, { recursive: true });
    expect(await openDamaged(copy, {})).toEqual({ counts: [LINES, LINES], notice: null });
  });

  it(`opens with the WAL cut at any offset (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const wal = readFileSync(`${databaseIn(killed)}-wal`);
    expect(wal.length).toBeGreaterThan(0);
    for (const part of [0, 1, random.next(), random.next(), random.next(), random.next()]) {
      const copy = join(folder, 'copy');
      cpSync(killed, copy, { recursive: true });
      const length = Math.floor(wal.length * part);
      writeFileSync(`${databaseIn(copy)}-wal`, wal.subarray(0, length));
      const opened = await openDamaged(copy, { SEED, walBytes: length });
      expectSetAside(opened, copy);
      if (part === 1) expect(opened.counts).toEqual([LINES, LINES]);
      rmSync(copy, { recursive: true });
    }
  });

  it(`opens with its end cut at any offset (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    for (const [from, parts] of [
      [closed, [0, 0.001, random.next(), random.next(), random.next(), random.next()]],
      [killed, [0, random.next(), random.next()]],
    ] as const) {
      const whole = readFileSync(databaseIn(from));
      for (const part of parts) {
        const copy = join(folder, 'copy');
        cpSync(from, copy, { recursive: true });
        const length = Math.floor(whole.length * part);
        writeFileSync(databaseIn(copy), whole.subarray(0, length));
        const opened = await openDamaged(copy, { SEED, from, bytes: length });
        expectSetAside(opened, copy);
        rmSync(copy, { recursive: true });
      }
    }
  });

  it(`opens with pages overwritten (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const whole = readFileSync(databaseIn(closed));
    const pages = whole.length / 4096;
    for (let round = 0; round < 8; round += 1) {
      const copy = join(folder, 'copy');
      cpSync(closed, copy, { recursive: true });
      const damaged = Buffer.from(whole);
      const overwritten = Array.from({ length: random.between(1, 4) }, () => random.between(1, pages - 1));
      for (const page of overwritten) damaged.write(random.text(4096), page * 4096, 'latin1');
      writeFileSync(databaseIn(copy), damaged);
      const opened = await openDamaged(copy, { SEED, round, overwritten }, false);
      expectSetAside(opened, copy);
      rmSync(copy, { recursive: true });
    }
  });

  it('opens with the root page of any table or index overwritten', async () => {
    const whole = readFileSync(databaseIn(closed));
    for (const { name, page } of rootPages(databaseIn(closed))) {
      const copy = join(folder, 'copy');
      cpSync(closed, copy, { recursive: true });
      const damaged = Buffer.from(whole);
      damaged.write(new Random(page).text(4096), (page - 1) * 4096, 'latin1');
      writeFileSync(databaseIn(copy), damaged);
      const opened = await openDamaged(copy, { name }, false);
      expectSetAside(opened, copy);
      rmSync(copy, { recursive: true });
    }
  });

  it('is set aside with a notice if it is not a database', async () => {
    const copy = join(folder, 'copy');
    cpSync(closed, copy, { recursive: true });
    writeFileSync(databaseIn(copy), 'this is not a database'.repeat(1000));
    const opened = await openDamaged(copy, {});
    expect(opened.notice).not.toBeNull();
    expectSetAside(opened, copy);
  });
});
