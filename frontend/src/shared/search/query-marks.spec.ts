import { describe, expect, it } from '@jest/globals';
import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import type { LogLine } from '../lines/log-line';
import { makeLine } from '../lines/testing/make-line';
import type { RegexResult, RegexSearch } from './regex-search';
import { EMPTY_QUERY, type LogQuery } from './log-query';
import { createQueryMarks, QueryMarks } from './query-marks';

/** Responds when the test says so. */
class FakeSearch {
  readonly requests: (readonly string[])[] = [];
  private readonly answers: ((sought: RegexResult) => void)[] = [];
  isClosed = false;

  run(texts: readonly string[]): Promise<RegexResult> {
    if (this.answers.length > 0) throw new Error('requests before it answered');
    this.requests.push(texts);
    return new Promise((resolve) => this.answers.push(resolve));
  }

  close(): void {
    this.isClosed = true;
  }

  async answer(sought: RegexResult): Promise<void> {
    const [resolve] = this.answers.splice(0);
    if (!resolve) throw new Error('nothing was requests');
    resolve(sought);
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('QueryMarks', () => {
  const line = makeLine(1);
  const regex = { ...EMPTY_QUERY, text: 'a+', regex: true };
  const make = (query: LogQuery): { marks: QueryMarks; search: FakeSearch; regexes: string[] } => {
    const search = new FakeSearch();
    const regexes: string[] = [];
    const marks = new QueryMarks(query, (text) => {
      regexes.push(text);
      return search as unknown as RegexSearch;
    });
    return { marks, search, regexes };
  };

  it('marks texts immediately, each with its own case sensitivity', () => {
    const { marks, regexes } = make({ ...EMPTY_QUERY, text: 'Up', matchCase: true, marks: ['(b', 'c'] });
    expect(marks.hits(line, 'up Up (B C')).toEqual([
      { from: 3, to: 5 },
      { from: 6, to: 8 },
      { from: 9, to: 10 },
    ]);
    expect(regexes).toEqual([]);
  });

  it('marks regex matches of all rows of a screen once they are found', async () => {
    const { marks, search, regexes } = make({ ...regex, marks: ['x'] });
    const other = makeLine(2);
    const first = marks.hits(line, 'xaa');
    expect([regexes, first, marks.hits(other, 'b')]).toEqual([['a+'], [{ from: 0, to: 1 }], []]);
    await settled();
    expect([search.requests, marks.hits(line, 'xaa')]).toEqual([[['xaa', 'b']], first]);
    await search.answer([[{ from: 1, to: 3 }], []]);
    const found = marks.hits(line, 'xaa');
    expect(found).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 3 },
    ]);
    // The same array, so that unchanged rows are not rebuilt.
    expect(marks.hits(line, 'xaa')).toBe(found);
    await settled();
    expect([search.requests.length, marks.unmarked()]).toEqual([1, null]);
  });

  it('searches lines received meanwhile next, last drawn first', async () => {
    const { marks, search } = make(regex);
    marks.hits(line, 'a');
    await settled();
    const lines = Array.from({ length: 300 }, (_, at) => makeLine(at + 2));
    for (const [at, one] of lines.entries()) marks.hits(one, `a${at}`);
    await search.answer([[]]);
    expect([search.requests[1]?.length, search.requests[1]?.[0], search.requests[1]?.at(-1)]).toEqual([
      200,
      'a100',
      'a299',
    ]);
    await search.answer(Array.from({ length: 200 }, () => []));
    // A dropped line that is visible again.
    marks.hits(lines[0] as LogLine, 'a0');
    await settled();
    expect(search.requests[2]).toEqual(['a0']);
  });

  it('skips lines that time out, reports it, and gives up after repeated timeouts', async () => {
    const { marks, search } = make(regex);
    for (let round = 1; round <= 3; round += 1) {
      const slow = makeLine(round);
      marks.hits(slow, 'aaaa!');
      await settled();
      await search.answer('slow');
      expect([marks.hits(slow, 'aaaa!'), marks.unmarked()]).toEqual([
        [],
        'Not all matches are marked: the regular expression is too slow',
      ]);
      await settled();
      expect(search.requests).toHaveLength(round);
    }
    marks.hits(makeLine(9), 'a');
    await settled();
    expect(search.requests).toHaveLength(3);
  });

  it('reports a regex that the browser does not support', async () => {
    const { marks, search } = make(regex);
    marks.hits(line, 'a');
    await settled();
    await search.answer('broken');
    expect(marks.unmarked()).toMatch(/^Matches are not marked/);
    marks.hits(makeLine(2), 'a');
    await settled();
    expect(search.requests).toHaveLength(1);
  });

  it('requests nothing after it is closed', async () => {
    const { marks, search } = make(regex);
    marks.hits(line, 'a');
    await settled();
    marks.hits(makeLine(2), 'a');
    marks.close();
    await search.answer([[]]);
    expect([search.isClosed, search.requests.length]).toEqual([true, 1]);
  });

  it('changes only with the text and the marks of a query', () => {
    const query = signal<LogQuery>(EMPTY_QUERY);
    const marks = TestBed.runInInjectionContext(() => createQueryMarks(query));
    expect(marks()).toBeNull();
    query.set({ ...EMPTY_QUERY, marks: ['b'] });
    const first = marks();
    query.set({ ...EMPTY_QUERY, marks: ['b'], levels: ['error'], from: '15m' });
    expect([first === null, marks() === first]).toEqual([false, true]);
    query.set({ ...EMPTY_QUERY, marks: ['b'], text: 'c' });
    expect(marks()).not.toBe(first);
  });
});
