import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, say } from '../../scripts/process.mjs';
import { Figure, medianOf } from './figures.mjs';
import { compareWithFts } from './history-fts.mjs';
import { find, identity, LIMITS, QUERY, settled, sizeOf } from './history-support.mjs';
import { logLine } from './log-lines.mjs';

const LINES = 1_000_000;
const BATCH = 1000;
const RARE = 'the needle that stands here once';
/** Most that the API gives in one answer. */
const MOST_FOUND = 10_000;
const ROUNDS = 5;
const PAGES = 300;
const EXPRESSIONS = ['timeout|refused', 'status=5[0-9]{2}', 'order=o-[0-9]{5}'];
/** The store of log lines with a million of them: taking in, pages, search, beside grep on the same lines. */
export async function history() {
  const { LogHistory } = await import(join(root, 'dist/backend/modules/log-sources/history/index.js'));
  const folder = mkdtempSync(join(tmpdir(), 'bench-history-'));
  try {
    const file = join(folder, 'lines.txt');
    writeLines(file);
    const figures = [];
    for (const [form, options] of [
      ['as they came', {}],
      ['compressed', { plainBytes: 16 * 1024 * 1024 }],
    ]) {
      const data = join(folder, form);
      figures.push(...(await fill(LogHistory, data, options, form)));
      figures.push(...(await open(LogHistory, data, options, form)));
      figures.push(...(await searches(LogHistory, data, options, form, file)));
    }
    figures.push(...(await compareWithFts(LogHistory, join(folder, 'compared'))));
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function text(number) {
  return number === 123_456
    ? { ...logLine(number), text: `${logLine(number).text} ${RARE}` }
    : logLine(number);
}

function writeLines(file) {
  const descriptor = openSync(file, 'w');
  for (let first = 0; first < LINES; first += BATCH) {
    let lines = '';
    for (let number = first; number < first + BATCH; number += 1) lines += `${text(number).text}\n`;
    writeSync(descriptor, lines);
  }
  closeSync(descriptor);
}

async function fill(LogHistory, data, options, form) {
  const history = await LogHistory.open(data, LIMITS, options);
  const id = history.source(identity('big'));
  const costs = [];
  const began = performance.now();
  for (let first = 0; first < LINES; first += 50_000) {
    let cost = 0;
    for (let number = first; number < first + 50_000; number += BATCH) {
      const lines = Array.from({ length: BATCH }, (_, index) => text(number + index));
      const before = process.threadCpuUsage();
      history.append(id, lines);
      const { user, system } = process.threadCpuUsage(before);
      cost += (user + system) / 1000;
      await history.room();
    }
    costs.push(cost);
  }
  const seconds = (performance.now() - began) / 1000;
  await settled(data);
  await history.close();
  const { bytes } = sizeOf(data);
  say(
    `${LINES} lines ${form}: taken in at ${Math.round(LINES / seconds)} lines/s, ${Math.round(bytes / 1e6)} MB on disk`,
  );
  return [
    new Figure({
      title: `50,000 lines taken in, time of the main thread, ${form}`,
      unit: 'ms',
      goal: 500,
      values: costs,
    }),
  ];
}

async function open(LogHistory, data, options, form) {
  const values = [];
  const older = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const history = await LogHistory.open(data, LIMITS, options);
    const [{ id, extent }] = history.sources();
    const newest = await history.page(id, extent.nextSeq - 200, 200);
    values.push(performance.now() - began);
    if (newest.at(-1)?.text !== text(LINES - 1).text)
      throw new Error('the newest page does not end with the newest line');
    for (let page = 0; page < PAGES / ROUNDS; page += 1) {
      const from = 1 + Math.floor(Math.random() * (LINES - 200));
      const asked = performance.now();
      const lines = await history.page(id, from, 200);
      older.push(performance.now() - asked);
      if (lines[0]?.seq !== from || lines[0].text !== text(from - 1).text)
        throw new Error(`line ${from} is another`);
    }
    await history.close();
  }
  return [
    new Figure({
      title: `history of ${LINES} lines opened, with its newest page, ${form}`,
      unit: 'ms',
      goal: 300,
      values,
    }),
    new Figure({
      title: `older page of 200 of ${LINES} lines, ${form}`,
      unit: 'ms',
      goal: 20,
      decides: 'p95',
      values: older,
    }),
  ];
}

async function searches(LogHistory, data, options, form, file) {
  const history = await LogHistory.open(data, LIMITS, options);
  const figures = [];
  try {
    // Threads that search are there from the second search on.
    await find(history, { text: 'warm' });
    for (const [title, query, expected] of [
      ['rare', { text: RARE.toUpperCase() }, 1],
      ['common', { text: 'status=200' }, 500],
      ['in none', { text: 'no line says this' }, 0],
    ]) {
      const values = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const { ms, matched } = await find(history, query);
        if (matched !== expected) throw new Error(`${matched} lines found instead of ${expected}: ${title}`);
        values.push(ms);
      }
      figures.push(
        new Figure({
          title: `search of ${LINES} lines, ${form}: ${title} text`,
          unit: 'ms',
          goal: 300,
          values,
        }),
      );
    }
    for (const expression of EXPRESSIONS) {
      const greps = [];
      const counts = [];
      const newest = [];
      let all = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const counted = grep(expression, file);
        greps.push(counted.ms);
        const query = { text: expression, regex: true, matchCase: true };
        const ours = await count(history, query);
        counts.push(ours.ms);
        if (counted.matched !== ours.matched)
          throw new Error(`grep finds ${counted.matched}, the history ${ours.matched}`);
        newest.push((await find(history, { ...query, limit: MOST_FOUND })).ms);
        if (round === 0) all = (await find(history, { ...query, limit: LINES })).ms;
      }
      const floor = medianOf(greps);
      say(`${expression}, ${form}: every match told one by one in ${Math.round(all)} ms`);
      for (const [what, values] of [
        ['all counted', counts],
        [`the newest ${MOST_FOUND} told`, newest],
      ]) {
        figures.push(
          new Figure({
            title: `${expression}: times grep -c -E, ${what}, ${form}`,
            unit: '×',
            goal: 1,
            values: values.map((ms) => ms / floor),
            versus: `grep ${Math.round(floor)} ms, the history ${Math.round(medianOf(values))} ms`,
          }),
        );
      }
    }
  } finally {
    await history.close();
  }
  return figures;
}

async function count(history, query) {
  const began = performance.now();
  const { buckets } = await history.histogram({ ...QUERY, ...query }, 60, new AbortController().signal);
  return { ms: performance.now() - began, matched: buckets.reduce((sum, { total }) => sum + total, 0) };
}

function grep(expression, file) {
  const began = performance.now();
  const { stdout } = spawnSync('grep', ['-cE', expression, file], {
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  });
  return { ms: performance.now() - began, matched: Number(stdout) };
}
