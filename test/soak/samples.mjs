import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 1000;
const PARTS = 5;
/** The last fifth may be this much above the second. */
const MOST = 1.1;
/** Part of the work that may fail. */
const MOST_ERRORS = 0.01;

/**
 * Measures that must not grow: the unit, how the value of a fifth follows from its samples, and the difference that is noise. The WAL
 * grows and shrinks all the time; the others vary with what runs at the moment. Data may grow up to the limits of the history,
 * 10 MB, and of the journal, 10,000 entries of about 1 kB.
 */
export const MEASURES = {
  rss: { unit: 'MB', of: mean, noise: 5 },
  descriptors: { unit: '', of: mean, noise: 5 },
  resources: { unit: '', of: mean, noise: 5 },
  wal: { unit: 'MB', of: (values) => Math.max(...values), noise: 1 },
  data: { unit: 'MB', of: mean, noise: 1, limit: 20 },
};
const COLUMNS = ['seconds', ...Object.keys(MEASURES)];

/**
 * Samples a server until a signal aborts.
 * @param file CSV of the curve, written with each sample, so that it is there whatever happens later
 * @returns the samples, with the seconds since the begin
 */
export async function sampleUntil(signal, { pid, folder, resources }, file) {
  const samples = [];
  const begin = performance.now();
  writeFileSync(file, `${COLUMNS.join(',')}\n`);
  while (!signal.aborted) {
    const wal = bytesIn(folder, (name) => name.endsWith('.db-wal'));
    const sample = {
      seconds: Math.round((performance.now() - begin) / 1000),
      rss: Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      resources: Number(readFileSync(`${resources}.${pid}`, 'utf8')),
      wal: wal / 1e6,
      data: (bytesIn(folder) - wal) / 1e6,
    };
    samples.push(sample);
    appendFileSync(file, `${COLUMNS.map((name) => Math.round(sample[name] * 1000) / 1000).join(',')}\n`);
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return samples;
}

/** Compares the last fifth with the second. @returns a line for each measure, and whether it has not grown */
export function compare(samples) {
  const part = (index) =>
    samples.slice(
      Math.floor((samples.length * index) / PARTS),
      Math.floor((samples.length * (index + 1)) / PARTS),
    );
  return Object.entries(MEASURES).map(([name, { unit, of, noise, limit = 0 }]) => {
    const fifths = Array.from({ length: PARTS }, (_, index) => of(part(index).map((sample) => sample[name])));
    const [, second, , , last] = fifths;
    const met = last <= Math.max(second * MOST, second + noise, limit);
    const curve = fifths.map((value) => value.toFixed(1)).join(' → ');
    const growth = `${second > 0 ? ((last / second - 1) * 100).toFixed(1) : '0'} %`;
    return {
      met,
      text: `${met ? 'met   ' : 'MISSED'} ${name}: ${curve} ${unit}; last to second fifth: ${growth}`,
    };
  });
}

/** Compares the errors of work with its successes. @returns a line, and whether enough succeeded */
export function outcome(name, { count, errors, atEnd }) {
  const met = count > 0 && errors.length <= (count + errors.length) * MOST_ERRORS;
  const last = errors.length > 0 ? `; ${errors.length} errors, the last: ${errors.at(-1)}` : '';
  const end = atEnd.length > 0 ? `; at the end: ${atEnd.join(' ')}` : '';
  return { met, text: `${met ? 'met   ' : 'MISSED'} ${name}: ${count}${last}${end}` };
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of files in a folder and its subfolders. Both come and go, also while they are read. */
function bytesIn(folder, isCounted = () => true) {
  let bytes = 0;
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += bytesIn(path, isCounted);
    else if (entry.isFile() && isCounted(entry.name)) {
      bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return bytes;
}

function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
