import type { Entry } from './entry.js';
import type { SearchQuery } from './search-query.js';
import type { SearchUnit, WantedLines } from './search-messages.js';
import type { SourceLines } from './source-lines.js';

/** Frames that lie near each other in a segment are read at once, up to so many bytes. */
const RUN_BYTES = 1024 * 1024;
/** Bytes between two of them that are read for nothing. */
const GAP_BYTES = 64 * 1024;

/** What has to be looked through for a query, the newest first. */
export function planSearch(query: SearchQuery, sources: readonly SourceLines[]): SearchUnit[] {
  const { from, to, before } = query;
  const end = Math.min(to ?? Infinity, before ? before.time + 1 : Infinity);
  const entries: Entry[] = [];
  for (const source of sources) {
    const pending = source.pendingEntry();
    const all = pending ? [...source.entries, pending] : source.entries;
    for (const entry of all) {
      if (from !== null && entry.lastTime < from) continue;
      if (entry.firstTime >= end) break;
      entries.push(entry);
    }
  }
  return unitsOf(entries);
}

/**
 * The same for the lines of a piece whose file was written anew, and for no others: those beside them may have been
 * looked at. What the index still has in the file that is gone is nowhere, and is left out.
 */
export function planAgain({ wanted, place }: SearchUnit, sources: readonly SourceLines[]): SearchUnit[] {
  const entries: Entry[] = [];
  const limits = new Map(wanted.map((lines) => [lines.source, lines]));
  const gone = place.kind === 'segment' ? place.file : undefined;
  for (const source of sources) {
    const lines = limits.get(source.id);
    if (!lines) continue;
    for (const entry of source.entries) {
      const firstSeq = Math.max(entry.firstSeq, lines.from);
      const endSeq = Math.min(entry.endSeq, lines.to);
      const isGone = entry.place.kind === 'segment' && entry.place.file === gone;
      if (firstSeq < endSeq && !isGone) entries.push({ ...entry, firstSeq, endSeq });
    }
  }
  return unitsOf(entries);
}

/** A piece without some lines of one source: what is before them and beside them, and what is behind them. */
export function planWithout(unit: SearchUnit, { source, from, to }: WantedLines): SearchUnit[] {
  const first: WantedLines[] = [];
  const behind: WantedLines[] = [];
  for (const lines of unit.wanted) {
    if (lines.source !== source) {
      first.push(lines);
      continue;
    }
    if (lines.from < from) first.push({ ...lines, to: Math.min(lines.to, from) });
    if (to < lines.to) behind.push({ ...lines, from: Math.max(lines.from, to) });
  }
  return [first, behind].filter(({ length }) => length > 0).map((wanted) => ({ ...unit, wanted }));
}

function unitsOf(entries: readonly Entry[]): SearchUnit[] {
  const units: SearchUnit[] = [];
  const inMemory: Entry[] = [];
  const mixed = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { place, lastTime } = entry;
    if (place.kind === 'memory') {
      inMemory.push(entry);
    } else if (place.kind === 'block') {
      units.push({ lastTime, wanted: wantedOf([entry]), place: { ...place, levels: entry.levels } });
    } else if (place.file.endsWith('-0.log')) {
      mixed.set(place.file, [...(mixed.get(place.file) ?? []), entry]);
    } else {
      units.push({ lastTime, wanted: wantedOf([entry]), place: { ...place, alone: true } });
    }
  }
  for (const [file, ofFile] of mixed) units.push(...runsOf(file, ofFile));
  if (inMemory.length > 0) {
    const bytes = Buffer.concat(
      inMemory.map(({ place }) => (place.kind === 'memory' ? place.bytes : Buffer.alloc(0))),
    );
    units.push({ lastTime: latest(inMemory), wanted: wantedOf(inMemory), place: { kind: 'memory', bytes } });
  }
  return units.sort((one, other) => other.lastTime - one.lastTime);
}

/** Small frames of many sources, as they were written. */
function runsOf(file: string, entries: readonly Entry[]): SearchUnit[] {
  const placed = entries
    .map((entry) => ({ entry, ...(entry.place as Entry['place'] & { kind: 'segment' }) }))
    .sort((one, other) => one.at - other.at);
  const runs: { at: number; end: number; entries: Entry[] }[] = [];
  for (const { entry, at, length } of placed) {
    const run = runs.at(-1);
    if (run && at - run.end <= GAP_BYTES && at + length - run.at <= RUN_BYTES) {
      run.end = at + length;
      run.entries.push(entry);
    } else {
      runs.push({ at, end: at + length, entries: [entry] });
    }
  }
  return runs.map((run) => ({
    lastTime: latest(run.entries),
    wanted: wantedOf(run.entries),
    place: { kind: 'segment', file, at: run.at, length: run.end - run.at, alone: false },
  }));
}

function wantedOf(entries: readonly Entry[]): WantedLines[] {
  const wanted = new Map<number, WantedLines>();
  for (const { source, firstSeq, endSeq } of entries) {
    const lines = wanted.get(source);
    if (lines) {
      lines.from = Math.min(lines.from, firstSeq);
      lines.to = Math.max(lines.to, endSeq);
    } else {
      wanted.set(source, { source, from: firstSeq, to: endSeq });
    }
  }
  return [...wanted.values()];
}

function latest(entries: readonly Entry[]): number {
  return entries.reduce((most, { lastTime }) => Math.max(most, lastTime), 0);
}
