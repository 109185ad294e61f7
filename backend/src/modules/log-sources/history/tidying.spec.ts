import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OwnerSteps } from '../../../../../test/support/logs/owner-steps.js';
import type { SourceLines } from './source-lines.js';
import { Tidying } from './tidying.js';

const SEGMENT = 32 * 1024;
/** Lines that fill most of a segment. */
const TEXTS = Array.from({ length: 200 }, (_, index) => `line ${index} ${'x'.repeat(140)}`);
const BYTES = TEXTS.join('\n').length;
const EVERY_MS = 40;

let folder: string;
let owner: OwnerSteps;
let source: SourceLines;
let tidying: Tidying;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidying-'));
  jest.useFakeTimers();
});

afterEach(() => {
  tidying.end();
  owner.close();
  jest.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function begin(plainBytes: number): void {
  owner = new OwnerSteps(folder, { plainBytes, segmentBytes: SEGMENT });
  source = owner.add(1, 'a');
  tidying = new Tidying(owner);
}

/** As the thread does it: one batch, and what the main thread has to say of what was tidied. */
function write(): void {
  owner.write(source, TEXTS);
  tidying.after(BYTES);
  while (owner.release()) tidying.after(0);
}

/** Lines that come for a time, at some 750 kB/s. */
function flood(milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed += EVERY_MS) {
    write();
    jest.advanceTimersByTime(EVERY_MS);
  }
}

/** Time without a line, in which the main thread answers. */
function rest(milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed += EVERY_MS) {
    while (owner.release()) tidying.after(0);
    jest.advanceTimersByTime(EVERY_MS);
  }
}

const segments = (generation: number): string[] =>
  readdirSync(join(folder, 'logs')).filter((file) => file.endsWith(`-${generation}.log`));

describe('when the history is tidied', () => {
  it('is not in a flood as long as there is room, and soon after it', () => {
    begin(64e6);
    flood(2800);
    const came = segments(0).length;
    expect([came, segments(1)]).toEqual([2800 / EVERY_MS, []]);
    // It counts as over when less than half a megabyte a second came of late.
    rest(8000);
    expect([segments(0).length, segments(1).length]).toEqual([1, came - 1]);
  });

  it('is in a flood where there is no room', () => {
    begin(4 * SEGMENT);
    // Within the first two seconds, in which nothing is tidied otherwise.
    let most = 0;
    for (let step = 0; step < 45; step += 1) {
      flood(EVERY_MS);
      most = Math.max(most, segments(0).length + segments(1).length);
    }
    expect(most).toBeGreaterThan(8);
    // Twice as many as are kept, and those that come while each of them is put in order.
    expect(most).toBeLessThanOrEqual(18);
  });

  it('is in the midst of requests that take room and leave no time in between', () => {
    begin(1_000_000);
    let most = 0;
    for (let id = 10; id < 160; id += 1) {
      owner.add(id, `s${id}`);
      tidying.after(0);
      most = Math.max(most, statSync(join(folder, 'logs.db-wal')).size);
    }
    // An eighth of what is kept as it came, and the one commit more.
    expect(most).toBeGreaterThan(90_000);
    expect(most).toBeLessThan(170_000);
  });

  it('is between lines where few come, but not before the first pages were asked for', () => {
    begin(64e6);
    write();
    write();
    rest(1900);
    expect(segments(1)).toEqual([]);
    rest(700);
    expect(segments(1)).toHaveLength(1);
    write();
    rest(80);
    expect(segments(1)).toHaveLength(2);
  });

  it('is at once where something was deleted, also in a flood', () => {
    begin(64e6);
    const other = owner.add(2, 'b');
    owner.write(other, TEXTS);
    const [file] = segments(0);
    flood(3000);
    expect([segments(0)[0], segments(1)]).toEqual([file, []]);
    owner.delete(other);
    flood(3 * EVERY_MS);
    expect(segments(0)).not.toContain(file);
    // That was all that could not wait.
    expect(segments(1).length).toBeLessThanOrEqual(1);
  });
});
