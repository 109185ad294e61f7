import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { say } from '../../scripts/process.mjs';
import { Figure } from './figures.mjs';
import { find, identity, LIMITS, settled, sizeOf } from './history-support.mjs';
import { logLine } from './log-lines.mjs';

const LINES = 200_000;
const BATCH = 1000;
const TEXT = 'circuit breaker open';
const EXPRESSION = 'status=5[0-9]{2}';

/** The same lines in SQLite, plain rows with an index of trigrams, beside the history: what was chosen, and by what. */
export async function compareWithFts(LogHistory, folder) {
  mkdirSync(folder, { recursive: true });
  const sqlite = rows(join(folder, 'rows'));
  const ours = await blocks(LogHistory, join(folder, 'blocks'));
  for (const [name, { rate, bytes, text, expression }] of [
    ['SQLite with FTS5 trigrams', sqlite],
    ['the history', ours],
  ]) {
    say(
      `${LINES} lines in ${name}: ${Math.round(rate)} lines/s, ${(bytes / 1e6).toFixed(1)} MB, text ${text.toFixed(1)} ms, expression ${expression.toFixed(1)} ms`,
    );
  }
  return [
    new Figure({
      title: `${LINES} lines taken in, times as long as SQLite with FTS5 trigrams`,
      unit: '×',
      goal: 0.5,
      values: [sqlite.rate / ours.rate],
    }),
    new Figure({
      title: `${LINES} lines on disk, times as much as SQLite with FTS5 trigrams`,
      unit: '×',
      goal: 0.5,
      values: [ours.bytes / sqlite.bytes],
    }),
  ];
}

function rows(data) {
  mkdirSync(data);
  const database = new DatabaseSync(join(data, 'rows.db'));
  database.exec(
    `PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
     CREATE TABLE lines (id INTEGER PRIMARY KEY, source INT, time INT, level TEXT, text TEXT);
     CREATE VIRTUAL TABLE found USING fts5 (text, content=lines, content_rowid=id, tokenize=trigram);`,
  );
  const line = database.prepare('INSERT INTO lines (source, time, level, text) VALUES (1, ?, ?, ?)');
  const index = database.prepare('INSERT INTO found (rowid, text) VALUES (?, ?)');
  const began = performance.now();
  for (let first = 0; first < LINES; first += BATCH) {
    database.exec('BEGIN');
    for (let number = first; number < first + BATCH; number += 1) {
      const { time, level, text } = logLine(number);
      index.run(line.run(time, level, text).lastInsertRowid, text);
    }
    database.exec('COMMIT');
  }
  const rate = (LINES / (performance.now() - began)) * 1000;
  const query = database.prepare(
    'SELECT lines.text FROM found JOIN lines ON lines.id = found.rowid WHERE found MATCH ?',
  );
  const text = took(() => query.all(`"${TEXT}"`));
  const test = new RegExp(EXPRESSION);
  const candidates = database.prepare(
    'SELECT lines.text FROM found JOIN lines ON lines.id = found.rowid WHERE found MATCH ?',
  );
  const expression = took(() => candidates.all('"status=5"').filter((row) => test.test(row.text)));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return { rate, bytes: sizeOf(data).bytes, text, expression };
}

async function blocks(LogHistory, data) {
  // So that all but the newest of it is compressed, as most of a long history is.
  const history = await LogHistory.open(data, LIMITS, { plainBytes: 4 * 1024 * 1024 });
  const id = history.source(identity('compared'));
  const began = performance.now();
  for (let first = 0; first < LINES; first += BATCH) {
    history.append(
      id,
      Array.from({ length: BATCH }, (_, index) => logLine(first + index)),
    );
    await history.room();
  }
  const rate = (LINES / ((await settled(data)) - began)) * 1000;
  await find(history, { text: 'warm' });
  const { ms: text } = await find(history, { text: TEXT, limit: LINES });
  const { ms: expression } = await find(history, {
    text: EXPRESSION,
    regex: true,
    matchCase: true,
    limit: LINES,
  });
  await history.close();
  return { rate, bytes: sizeOf(data).bytes, text, expression };
}

function took(work) {
  const began = performance.now();
  work();
  return performance.now() - began;
}
