import { describe, expect, it } from '@jest/globals';
import { Progress } from './progress.js';
import { formatTable } from './table.js';
import { durationOf } from './times.js';

describe('formatTable', () => {
  const rows = [
    ['shop', 'a reason that is much longer than the terminal'],
    ['\u001b[31mred\n', ''],
  ];

  it('aligns columns, without spaces at the ends and control characters', () => {
    expect(formatTable(['name', 'reason'], rows, undefined)).toBe(
      'NAME  REASON\nshop  a reason that is much longer than the terminal\nred\n',
    );
  });

  it('shows that a cell has hidden characters, which make it look like another', () => {
    expect(formatTable(['name'], [['web\u200b'], ['a\nb'], ['txt.\u202egpj']], undefined)).toBe(
      'NAME\nweb\ufffd\na b\ntxt.\ufffdgpj\n',
    );
  });

  it.each([
    '\u00a0',
    '\u034f',
    '\u115f',
    '\u17b4',
    '\u180b',
    '\u200e',
    '\u2028',
    '\u2800',
    '\u3164',
    '\ufe0f',
    '\0',
  ])('shows that a cell has %j', (character) => {
    expect(formatTable(['name'], [[`web${character}-1`]], undefined)).toBe('NAME\nweb\ufffd-1\n');
  });

  it('cuts the widest column to the width of the terminal', () => {
    expect(formatTable(['name', 'reason'], rows, 24)).toBe('NAME  REASON\nshop  a reason that i...\nred\n');
  });
});

describe('Progress', () => {
  const job = {
    title: 'Create shop',
    state: 'running',
    cancelling: false,
    progress_percent: 50.9,
    seconds_left: null,
    progress_step: 'Starting\u001b[2J nodes',
  } as const;

  function shownOn(terminal: { isTTY?: boolean; columns?: number }): string {
    let text = '';
    const progress = new Progress({ ...terminal, write: (more) => (text += more) });
    progress.update({ ...job, state: 'queued', progress_percent: 0 });
    progress.update(job);
    progress.update({ ...job, progress_percent: 60 });
    progress.update({ ...job, cancelling: true });
    progress.clear();
    return text;
  }

  it('rewrites one line of a terminal', () => {
    const lines = shownOn({ isTTY: true, columns: 50 }).split('\r').slice(1);
    expect(lines).toEqual([
      '[........................]   0 %  Waiting for oth\u001b[K',
      '[############............]  50 %  Starting nodes\u001b[K',
      '[##############..........]  60 %  Starting nodes\u001b[K',
      '[############............]  50 %  Canceling: Star\u001b[K',
      '\u001b[K',
    ]);
  });

  it('tells the time left on a terminal', () => {
    let text = '';
    const progress = new Progress({ isTTY: true, columns: 80, write: (more) => (text += more) });
    progress.update({ ...job, seconds_left: 13.2 });
    expect(text).toContain(' 50 %  Starting nodes, about 14s left');
  });

  it('prints a line for each step elsewhere', () => {
    expect(shownOn({})).toBe(
      '  0 %  Waiting for other jobs\n 50 %  Starting nodes\n 50 %  Canceling: Starting nodes\n',
    );
  });
});

describe('durationOf', () => {
  it.each([
    [-5, '0s'],
    [59_400, '59s'],
    [60_000, '1m'],
    [3 * 3600_000 + 1, '3h'],
    [50 * 3600_000, '2d'],
  ])('shows %i ms as %s', (milliseconds, text) => {
    expect(durationOf(milliseconds)).toBe(text);
  });
});
