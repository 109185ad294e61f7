import { describe, expect, it } from '@jest/globals';
import type { LogPiece } from '../../container-logs.js';
import { ChunkedBody } from './chunked-body.js';
import { TimedLines } from './timed-lines.js';

const TIME = '2026-11-22T13:35:05.123456789Z ';
const MICROS = Date.parse('2026-11-22T13:35:05.123Z') * 1000 + 456;
const END = '0\r\n\r\n';

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** What of a terminal's log is read, in reads of these lengths. */
function terminalText(reads: readonly Buffer[]): string {
  const body = new ChunkedBody(true);
  const lines = new TimedLines();
  const pieces: LogPiece[] = [];
  for (const bytes of reads) {
    for (const part of body.take(bytes)) lines.push(part, pieces);
  }
  lines.end(pieces);
  expect(body.isOver).toBe(true);
  expect(pieces.every(({ time }) => time === MICROS)).toBe(true);
  return pieces.map(({ data }) => data.toString()).join('');
}

function inReadsOf(length: number, whole: Buffer): Buffer[] {
  const reads: Buffer[] = [];
  for (let at = 0; at < whole.length; at += length) reads.push(whole.subarray(at, at + length));
  return reads;
}

describe('a chunked body', () => {
  it('has a line of 40,000 bytes of a terminal without the times of its parts, as Docker sends it', () => {
    const parts = ['x'.repeat(16_384), 'x'.repeat(16_384), `${'x'.repeat(7232)}\r\n`];
    const sent = [...parts, 'after\r\n'].map((part) => chunk(TIME + part)).join('') + END;
    for (const length of [61, 1000, 16_384, 65_536]) {
      const text = terminalText(inReadsOf(length, Buffer.from(sent)));
      expect(text === `${'x'.repeat(40_000)}\r\nafter\r\n`).toBe(true);
    }
  });

  it('tells the parts of a line wherever what is read was cut, and takes no text for a time', () => {
    const sent = ['one\r\n', 'two, ', `${TIME}and `, `at ${TIME}the end\r\n`, `three ${TIME}\r\n`];
    const whole = Buffer.from(sent.map((text) => chunk(TIME + text)).join('') + END);
    const text = `one\r\ntwo, ${TIME}and at ${TIME}the end\r\nthree ${TIME}\r\n`;
    for (let cut = 1; cut < whole.length; cut += 1) {
      expect(terminalText([whole.subarray(0, cut), whole.subarray(cut)])).toBe(text);
    }
    expect(terminalText(inReadsOf(1, whole))).toBe(text);
  });

  it('hands whole lines on together, and a chunk without end before all of it came', () => {
    const lines = Array.from({ length: 100 }, (_, index) => chunk(`${TIME}line ${index}\r\n`)).join('');
    expect(new ChunkedBody(true).take(Buffer.from(lines))).toHaveLength(1);
    const body = new ChunkedBody(true);
    let taken = 0;
    for (const read of inReadsOf(10_000, Buffer.from(`5000000\r\n${'x'.repeat(300_000)}`))) {
      for (const part of body.take(read)) taken += part.length;
    }
    expect(taken).toBeGreaterThan(200_000);
  });

  it('is one behind the other where nobody asks for parts', () => {
    const sent = Buffer.from(chunk('one ') + chunk('two\n') + chunk('three') + END);
    expect(new ChunkedBody().take(sent).map(String)).toEqual(['one two\nthree']);
  });
});
