import { describe, expect, it } from '@jest/globals';
import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import type { LogLine } from '../../../shared/lines/log-line';
import { makeLine } from '../testing/make-line';
import type { RegexSearch, RegexResult } from './regex-search';
import { type LogQuery, WHOLE } from './log-query';
import { QueryMarks, queryMarks } from './query-marks';

/** Answers when it is told to, and never looks for anything itself. */
class FakeSeeker {
  readonly asked: (readonly string[])[] = [];
  private readonly answers: ((sought: RegexResult) => void)[] = [];
  isClosed = false;

  seek(texts: readonly string[]): Promise<RegexResult> {
    if (this.answers.length > 0) throw new Error('asked before it answered');
    this.asked.push(texts);
    return new Promise((resolve) => this.answers.push(resolve));
  }

  close(): void {
    this.isClosed = true;
  }

  async answer(sought: RegexResult): Promise<void> {
    const [resolve] = this.answers.splice(0);
    if (!resolve) throw new Error('nothing was asked');
    resolve(sought);
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('what is marked', () => {
  const line = makeLine(1);
  const expression = { ...WHOLE, text: 'a+', regex: true };
  const make = (query: LogQuery): { marks: QueryMarks; seeker: FakeSeeker; expressions: string[] } => {
    const seeker = new FakeSeeker();
    const expressions: string[] = [];
    const marks = new QueryMarks(query, (text) => {
      expressions.push(text);
      return seeker as unknown as RegexSearch;
    });
    return { marks, seeker, expressions };
  };

  it('are texts at once, each in its own case', () => {
    const { marks, expressions } = make({ ...WHOLE, text: 'Up', matchCase: true, marks: ['(b', 'c'] });
    expect(marks.hits(line, 'up Up (B C')).toEqual([
      { from: 3, to: 5 },
      { from: 6, to: 8 },
      { from: 9, to: 10 },
    ]);
    expect(expressions).toEqual([]);
  });

  it('is an expression as soon as it was found, all rows of a screen at once', async () => {
    const { marks, seeker, expressions } = make({ ...expression, marks: ['x'] });
    const other = makeLine(2);
    const first = marks.hits(line, 'xaa');
    expect([expressions, first, marks.hits(other, 'b')]).toEqual([['a+'], [{ from: 0, to: 1 }], []]);
    await settled();
    expect([seeker.asked, marks.hits(line, 'xaa')]).toEqual([[['xaa', 'b']], first]);
    await seeker.answer([[{ from: 1, to: 3 }], []]);
    const found = marks.hits(line, 'xaa');
    expect(found).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 3 },
    ]);
    // The same array: nothing is cut anew that did not change.
    expect(marks.hits(line, 'xaa')).toBe(found);
    await settled();
    expect([seeker.asked.length, marks.unmarked()]).toEqual([1, null]);
  });

  it('asks for what came meanwhile next, the last rows that were drawn', async () => {
    const { marks, seeker } = make(expression);
    marks.hits(line, 'a');
    await settled();
    const lines = Array.from({ length: 300 }, (_, at) => makeLine(at + 2));
    for (const [at, one] of lines.entries()) marks.hits(one, `a${at}`);
    await seeker.answer([[]]);
    expect([seeker.asked[1]?.length, seeker.asked[1]?.[0], seeker.asked[1]?.at(-1)]).toEqual([
      200,
      'a100',
      'a299',
    ]);
    await seeker.answer(Array.from({ length: 200 }, () => []));
    // One that was passed over, and is looked at again.
    marks.hits(lines[0] as LogLine, 'a0');
    await settled();
    expect(seeker.asked[2]).toEqual(['a0']);
  });

  it('leaves lines alone that take too long, says so, and gives up in the end', async () => {
    const { marks, seeker } = make(expression);
    for (let round = 1; round <= 3; round += 1) {
      const slow = makeLine(round);
      marks.hits(slow, 'aaaa!');
      await settled();
      await seeker.answer('slow');
      expect([marks.hits(slow, 'aaaa!'), marks.unmarked()]).toEqual([
        [],
        'Not all matches are marked: the regular expression is too slow',
      ]);
      await settled();
      expect(seeker.asked).toHaveLength(round);
    }
    marks.hits(makeLine(9), 'a');
    await settled();
    expect(seeker.asked).toHaveLength(3);
  });

  it('says where nothing can look for it', async () => {
    const { marks, seeker } = make(expression);
    marks.hits(line, 'a');
    await settled();
    await seeker.answer('broken');
    expect(marks.unmarked()).toMatch(/^Matches are not marked/);
    marks.hits(makeLine(2), 'a');
    await settled();
    expect(seeker.asked).toHaveLength(1);
  });

  it('asks nobody any more once it is closed', async () => {
    const { marks, seeker } = make(expression);
    marks.hits(line, 'a');
    await settled();
    marks.hits(makeLine(2), 'a');
    marks.close();
    await seeker.answer([[]]);
    expect([seeker.isClosed, seeker.asked.length]).toEqual([true, 1]);
  });

  it('changes with the text and the marks of a query, and with nothing else', () => {
    const query = signal<LogQuery>(WHOLE);
    const marks = TestBed.runInInjectionContext(() => queryMarks(query));
    expect(marks()).toBeNull();
    query.set({ ...WHOLE, marks: ['b'] });
    const first = marks();
    query.set({ ...WHOLE, marks: ['b'], levels: ['error'], from: '15m' });
    expect([first === null, marks() === first]).toEqual([false, true]);
    query.set({ ...WHOLE, marks: ['b'], text: 'c' });
    expect(marks()).not.toBe(first);
  });
});
