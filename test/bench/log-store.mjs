import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root, say } from '../../scripts/process.mjs';
import { bytesIn } from '../support/folder-bytes.ts';
import { identityOf, NO_LIMITS, searchOf } from '../support/logs/lines.ts';
import { Figure, medianOf } from './figures.mjs';
import { logLine } from './log-lines.mjs';
import { VictoriaLogs } from './victoria-logs.mjs';

const LINES = 1_000_000;
const BATCH = 1000;
const ROUNDS = 7;
const PAGE = 200;
const PAGES = 300;
const NEEDLE = 123_456;
const RARE = 'the needle that occurs here once';

/** The counted queries: the same in the store and in LogsQL. */
const COUNTS = [
  { title: 'common text', query: { text: 'STATUS=200' }, logsql: 'i("status=200")' },
  ...['timeout|refused', 'status=5[0-9]{2}', 'order=o-[0-9]{5}'].map((text) => ({
    title: `regex ${text}`,
    query: { text, regex: true, matchCase: true },
    logsql: `~${JSON.stringify(text)}`,
  })),
  { title: 'two texts', typed: 'refused "status=200"', logsql: 'i("refused") i("status=200")' },
  {
    title: 'a group, and a text that is excluded',
    typed: '(timeout OR refused) -"/metrics"',
    logsql: '(i("timeout") or i("refused")) !i("/metrics")',
  },
];
/** Blocks of the store, and how many times as long as VictoriaLogs a count may take. */
const FORMS = [
  { form: 'uncompressed', options: { uncompressedBytes: 1e12 }, goal: 1 },
  { form: 'compressed', options: { uncompressedBytes: 16 * 1024 * 1024 }, goal: 2 },
];

/** Makes conditions of what is typed into the search field. */
let withQuery;

/** The embedded log store with a million lines, beside VictoriaLogs with the same lines (APP_TEST_VICTORIA_LOGS). */
export async function logStore() {
  const built = join(root, 'dist/backend/src');
  const { openEmbeddedLogStore } = await import(join(built, 'drivers/log-store/embedded/index.js'));
  ({ withQuery } = await import(join(built, 'core/search/index.js')));
  const folder = mkdtempSync(join(tmpdir(), 'bench-log-store-'));
  const program = process.env.APP_TEST_VICTORIA_LOGS;
  let database;
  try {
    if (program) database = await filledDatabase(program, join(folder, 'victoria-logs'));
    else say('APP_TEST_VICTORIA_LOGS is not set: counts are not compared with VictoriaLogs');
    const figures = [];
    for (const { form, options, goal } of FORMS) {
      const data = join(folder, form);
      mkdirSync(data);
      const open = () => openEmbeddedLogStore(data, NO_LIMITS, options);
      figures.push(...(await fill(open, data, form, options.uncompressedBytes)));
      figures.push(...(await pages(open, form)));
      figures.push(...(await searches(open, form)));
      figures.push(...(await counts(open, form, goal, database)));
    }
    return figures;
  } finally {
    await database?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function lineOf(number) {
  const line = logLine(number);
  return number === NEEDLE ? { ...line, text: `${line.text} ${RARE}` } : line;
}

function batchOf(first) {
  return Array.from({ length: BATCH }, (_, index) => lineOf(first + index));
}

async function filledDatabase(program, data) {
  const database = await VictoriaLogs.start(program, data);
  const began = performance.now();
  for (let first = 0; first < LINES; first += 10 * BATCH) {
    await database.insert(Array.from({ length: 10 * BATCH }, (_, index) => lineOf(first + index)));
  }
  const seconds = (performance.now() - began) / 1000;
  await database.settled();
  const { matched } = await database.count('*');
  if (matched !== LINES) throw new Error(`VictoriaLogs has ${matched} lines instead of ${LINES}`);
  say(
    `${LINES} lines in VictoriaLogs: ${Math.round(LINES / seconds)} lines/s, ${megabytes(bytesIn(data))} MB on disk`,
  );
  return database;
}

async function fill(open, data, form, uncompressed) {
  const store = await open();
  const id = store.source(identityOf('big'));
  let making = 0;
  let textBytes = 0;
  const began = performance.now();
  for (let first = 0; first < LINES; first += BATCH) {
    const before = performance.now();
    const lines = batchOf(first);
    for (const { text } of lines) textBytes += Buffer.byteLength(text);
    making += performance.now() - before;
    store.append(id, lines);
    await store.room();
  }
  await store.flush();
  const seconds = (performance.now() - began - making) / 1000;
  await settled(store, data);
  await store.close();
  const bytes = bytesIn(data);
  say(
    `${LINES} lines ${form}: ${Math.round(LINES / seconds)} lines/s, ${megabytes(textBytes)} MB of text, ${megabytes(bytes)} MB on disk`,
  );
  if (form !== 'compressed') return [];
  return [
    new Figure({
      title: `compressed blocks of ${LINES} lines, of their text`,
      unit: '%',
      goal: 25,
      values: [((bytes - uncompressed) / (textBytes - uncompressed)) * 100],
    }),
  ];
}

/** Waits until blocks are no longer merged or compressed. */
async function settled(store, data) {
  let before = '';
  for (let same = 0; same < 15; await delay(200)) {
    const now = `${bytesIn(data)} ${store.status().bytesOnDisk}`;
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

async function pages(open, form) {
  const openings = [];
  const older = [];
  // The first opening also loads the code.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const began = performance.now();
    const store = await open();
    const [{ id, extent }] = store.sources();
    const newest = await store.page([id], extent.nextSeq, { before: PAGE, after: 0 });
    if (round > 0) openings.push(performance.now() - began);
    if (newest.lines.at(-1)?.line.text !== lineOf(LINES - 1).text)
      throw new Error('the newest page does not end with the newest line');
    for (let page = 0; page < PAGES / ROUNDS; page += 1) {
      const from = 1 + Math.floor(Math.random() * (LINES - PAGE));
      const asked = performance.now();
      const { lines } = await store.page([id], from, { before: 0, after: PAGE });
      if (round > 0) older.push(performance.now() - asked);
      if (lines.length !== PAGE || lines[0].line.text !== lineOf(from - 1).text)
        throw new Error(`the page from line ${from} on is wrong`);
    }
    await store.close();
  }
  return [
    new Figure({
      title: `${LINES} lines opened, with the newest page, ${form}`,
      unit: 'ms',
      goal: 300,
      values: openings,
    }),
    new Figure({
      title: `older page of ${PAGE} of ${LINES} lines, ${form}`,
      unit: 'ms',
      goal: 20,
      decides: 'p95',
      values: older,
    }),
  ];
}

async function searches(open, form) {
  const store = await open();
  const figures = [];
  try {
    for (const [title, query, expected, goal] of [
      ['rare text', { text: RARE.toUpperCase() }, 1, 50],
      ['absent text', { text: 'no line says this' }, 0, 50],
      [`newest ${PAGE} of a common text`, { text: 'status=200' }, PAGE, 30],
      [`newest ${PAGE} of a regex`, { text: 'status=5[0-9]{2}', regex: true, matchCase: true }, PAGE, 30],
      ['rare text without a word', { typed: `"${RARE}" -nowhere` }, 1, 50],
      [`newest ${PAGE} of two texts`, { typed: 'refused "status=200"' }, PAGE, 30],
      [`newest ${PAGE} of a group`, { typed: '(timeout OR refused) -"/metrics"' }, PAGE, 30],
      // Of 2 % of the lines: the fields of 10,000 are read.
      [`newest ${PAGE} of a rare comparison`, { typed: 'status>=500' }, PAGE, 50],
      [`newest ${PAGE} of a field with a wildcard`, { typed: 'path=/v1/*' }, PAGE, 30],
    ]) {
      const values = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const { ms, matched } = await find(store, query);
        if (matched !== expected) throw new Error(`${matched} matches instead of ${expected}: ${title}`);
        if (round > 0) values.push(ms);
      }
      figures.push(new Figure({ title: `${title} in ${LINES} lines, ${form}`, unit: 'ms', goal, values }));
    }
  } finally {
    await store.close();
  }
  return figures;
}

async function counts(open, form, goal, database) {
  const store = await open();
  const figures = [];
  try {
    for (const { title, query = {}, typed, logsql } of COUNTS) {
      const ours = [];
      const theirs = [];
      // In turns, so that what else the machine does meets both.
      for (let round = 0; round <= ROUNDS; round += 1) {
        const own = await count(store, { ...query, typed });
        const other = await database?.count(logsql);
        if (other && own.matched !== other.matched)
          throw new Error(`${title}: ${own.matched} matches, ${other.matched} in VictoriaLogs`);
        if (round === 0) continue;
        ours.push(own.ms);
        if (other) theirs.push(other.ms);
      }
      if (theirs.length === 0) {
        say(`${title} counted in ${LINES} lines, ${form}: median ${medianOf(ours).toFixed(1)} ms`);
        continue;
      }
      const floor = medianOf(theirs);
      figures.push(
        new Figure({
          title: `${title} counted in ${LINES} lines: times VictoriaLogs, ${form}`,
          unit: '×',
          goal,
          values: ours.map((ms) => ms / floor),
          versus: `VictoriaLogs ${floor.toFixed(1)} ms, the embedded store ${medianOf(ours).toFixed(1)} ms`,
        }),
      );
    }
  } finally {
    await store.close();
  }
  return figures;
}

/** @param query conditions of a search, or what is typed into the field */
function conditionsOf({ typed, ...query }) {
  const search = searchOf({ limit: PAGE, ...query });
  return typed === undefined ? search : withQuery(search, typed, []);
}

async function find(store, query) {
  const began = performance.now();
  let matched;
  for await (const event of store.search(conditionsOf(query), new AbortController().signal)) {
    if (event.type === 'end') ({ matched } = event);
  }
  return { ms: performance.now() - began, matched };
}

async function count(store, query) {
  const began = performance.now();
  const { buckets } = await store.histogram(conditionsOf(query), 1, new AbortController().signal);
  return { ms: performance.now() - began, matched: buckets[0].total };
}

function megabytes(bytes) {
  return Math.round(bytes / 1e6);
}
