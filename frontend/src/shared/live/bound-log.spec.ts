import { describe, expect, it } from '@jest/globals';
import type { JobLogLineDto, LogKind } from '../api/api-types';
import { boundLog } from './bound-log';

function line(sequence: number, kind: LogKind = 'output'): JobLogLineDto {
  return { sequence, kind, text: String(sequence), time: '2026-11-21T09:00:00.000Z' };
}

function lines(from: number, to: number): JobLogLineDto[] {
  return Array.from({ length: to - from + 1 }, (_, index) => line(from + index));
}

describe('the bound of a followed log', () => {
  it('leaves a log alone that fits, and one that is a little over', () => {
    const fits = lines(1, 12);
    expect(boundLog(fits, 10, 2)).toBe(fits);
  });

  it('keeps the beginning and the end and counts what it left out between them', () => {
    const bound = boundLog(lines(1, 30), 10, 2);
    expect(bound.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 27, 28, 29, 30]);
    expect(bound[5]).toMatchObject({ kind: 'cut', text: '21 lines omitted' });
  });

  it('goes on counting at the mark that is there already, its own or the server’s', () => {
    const once = boundLog(lines(1, 30), 10, 2);
    const twice = boundLog([...once, ...lines(31, 50)], 10, 2);
    expect(twice.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 47, 48, 49, 50]);
    expect(twice[5]).toMatchObject({ kind: 'cut', text: '40 lines omitted' });
  });
});
