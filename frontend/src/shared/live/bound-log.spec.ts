import { describe, expect, it } from '@jest/globals';
import type { JobLogLineDto, LogKind } from '../api/api-types';
import { boundLog } from './bound-log';

function line(sequence: number, kind: LogKind = 'output'): JobLogLineDto {
  return { sequence, kind, text: String(sequence), time: '2026-11-21T09:00:00.000Z' };
}

function lines(from: number, to: number): JobLogLineDto[] {
  return Array.from({ length: to - from + 1 }, (_, index) => line(from + index));
}

describe('boundLog', () => {
  it('keeps a log within the limit and its slack', () => {
    const fits = lines(1, 12);
    expect(boundLog(fits, 10, 2)).toBe(fits);
  });

  it('keeps the start and the end, and counts omitted lines', () => {
    const bound = boundLog(lines(1, 30), 10, 2);
    expect(bound.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 27, 28, 29, 30]);
    expect(bound[5]).toMatchObject({ kind: 'cut', text: '21 lines omitted' });
  });

  it('continues the count of an existing mark, its own or that of the server', () => {
    const once = boundLog(lines(1, 30), 10, 2);
    const twice = boundLog([...once, ...lines(31, 50)], 10, 2);
    expect(twice.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 47, 48, 49, 50]);
    expect(twice[5]).toMatchObject({ kind: 'cut', text: '40 lines omitted' });
  });
});
