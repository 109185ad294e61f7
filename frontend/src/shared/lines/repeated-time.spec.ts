import { describe, expect, it } from '@jest/globals';
import { withoutRepeatedTime } from './repeated-time';

const TIME = Date.parse('2026-11-27T10:00:00.500Z') * 1000;

describe('withoutRepeatedTime', () => {
  it.each([
    ['2026-11-27T10:00:00.499Z started', 'started'],
    ['2026-11-27 10:00:00,480 INFO  com.shop - posted', 'INFO  com.shop - posted'],
    ['2026-11-27 10:00:00.480 UTC [7] LOG:  checkpoint', '[7] LOG:  checkpoint'],
    ['2026/11/27 10:00:00 [error] 29#29: *1 refused', '[error] 29#29: *1 refused'],
    ['[2026-11-27 10:00:00.498][1][info] initializing', '[1][info] initializing'],
    ['[2026-11-27T10:00:00.498Z] "GET / HTTP/1.1" 200', '"GET / HTTP/1.1" 200'],
    ['2026-11-27T11:00:00+01:00 - failed', 'failed'],
    ['2026-11-27 11:00:00+0100 | failed', 'failed'],
    // Local time of the program, whose zone the line does not tell.
    ['2026-11-27 15:30:00,500 failed', 'failed'],
  ])('leaves out that of %s', (message, rest) => {
    expect(withoutRepeatedTime(message, TIME)).toBe(rest);
  });

  it.each([
    '2026-11-27T10:00:05.000Z another time',
    '2026-11-27T11:00:00.500Z another hour with a zone',
    '2026-11-25 10:00:00 another day',
    '2026-11-27 10:07:00 no offset of a zone',
    '2026-99-99 10:00:00 no date',
    '2026-11-27T10:00:00.500Z',
    '2026-11-27T10:00:00.500Zulu',
    '2026-11-27 10:00:00-beta',
    'at 2026-11-27T10:00:00.500Z',
    '10:00:00 started',
  ])('keeps that of %s', (message) => {
    expect(withoutRepeatedTime(message, TIME)).toBe(message);
  });
});
