import { describe, expect, it } from '@jest/globals';
import type { LogPiece, LogStream } from '../../drivers/runtime/index.js';
import { MAX_LINE_LENGTH, type NewLogLine } from '../../drivers/log-store/index.js';
import { NEXT_PIECE_MS, LineAssembler, PARTIAL_LINE_MS } from './line-assembler.js';

function piece(data: string | Buffer, time = 1, stream: LogStream | null = 'stdout'): LogPiece {
  return { stream, time, data: Buffer.from(data) };
}

function textsOf(lines: readonly NewLogLine[]): string[] {
  return lines.map(({ text }) => text);
}

describe('LineAssembler', () => {
  it('returns lines with time, stream and level', () => {
    const lines = new LineAssembler().take(
      [piece('INFO ready\n', 5), piece('[error] gone\n', 6, 'stderr')],
      0,
    );
    const rest = { cut: 0, continues: false };
    expect(lines).toEqual([
      { time: 5, stream: 'stdout', level: 'info', text: 'INFO ready', ...rest },
      { time: 6, stream: 'stderr', level: 'error', text: '[error] gone', ...rest },
    ]);
  });

  it('gives continuation lines the level of the first line of their stream', () => {
    const assembler = new LineAssembler();
    const levels = (...pieces: LogPiece[]): unknown[] =>
      assembler.take(pieces, 0).map(({ level, continues }) => [level, continues]);
    expect(
      levels(
        piece('ERROR gone\n', 5, 'stderr'),
        piece('INFO ready\n', 6),
        piece('  warn: in its text\n', 7, 'stderr'),
        piece('  port: 80\n', 8),
      ),
    ).toEqual([
      ['error', false],
      ['info', false],
      ['error', true],
      ['info', true],
    ]);
    // Also in a later batch, up to the next first line.
    expect(levels(piece('\tat x\n', 9, 'stderr'), piece('bare\n', 10), piece('  of bare\n', 11))).toEqual([
      ['error', true],
      [null, false],
      [null, true],
    ]);
  });

  it('joins the pieces of each stream and uses the time of the first piece', () => {
    const assembler = new LineAssembler();
    expect(assembler.take([piece('one, ', 1), piece('other, ', 2, 'stderr'), piece('two, ', 3)], 0)).toEqual(
      [],
    );
    const lines = assembler.take([piece('end\n', 4, 'stderr'), piece('three\n', 5)], 0);
    expect(lines.map(({ time, text }) => [time, text])).toEqual([
      [2, 'other, end'],
      [1, 'one, two, three'],
    ]);
  });

  it('splits pieces with several lines, and removes carriage returns of terminals', () => {
    const lines = new LineAssembler().take([piece('a\r\nb\r\n\r\n10%\r20%\r\nc\r', 1, null)], 0);
    expect(textsOf(lines)).toEqual(['a', 'b', '', '10%\r20%']);
  });

  it('decodes characters that span pieces', () => {
    const bytes = Buffer.from('grüße 🦊\n');
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const pieces = [piece(bytes.subarray(0, cut)), piece(bytes.subarray(cut))];
      expect(textsOf(new LineAssembler().take(pieces, 0))).toEqual(['grüße 🦊']);
    }
  });

  it.each([
    [Buffer.from('caf\xe9 \xff\xfe', 'latin1'), 'caf\\xE9 \\xFF\\xFE'],
    [Buffer.from([0x61, 0, 0x62]), 'a\\0b'],
    // A truncated character, an overlong encoding, a surrogate, and a code point beyond Unicode.
    [Buffer.from([0xf0, 0x9f, 0xa6]), '\\xF0\\x9F\\xA6'],
    [Buffer.from([0xc0, 0x80]), '\\xC0\\x80'],
    [Buffer.from([0xed, 0xa0, 0x80]), '\\xED\\xA0\\x80'],
    [Buffer.from([0xf5, 0x80, 0x80, 0x80]), '\\xF5\\x80\\x80\\x80'],
    [Buffer.from('a \ufffd that was written'), 'a \ufffd that was written'],
    [Buffer.from('\x1b]0;title\x07 <b>'), '\x1b]0;title\x07 <b>'],
  ])('shows every byte of %j', (bytes, text) => {
    expect(textsOf(new LineAssembler().take([piece(Buffer.concat([bytes, Buffer.from('\n')]))], 0))).toEqual([
      text,
    ]);
  });

  it('cuts lines at 64 k characters and counts the rest, in one or many pieces', () => {
    const whole = Buffer.from(`${'x'.repeat(1_000_000)}\n`);
    const pieces: LogPiece[] = [];
    for (let at = 0; at < whole.length; at += 16_384) pieces.push(piece(whole.subarray(at, at + 16_384)));
    for (const input of [pieces, [piece(whole)]]) {
      const [line, ...others] = new LineAssembler().take(input, 0);
      expect([line?.text.length, line?.cut, others]).toEqual([
        MAX_LINE_LENGTH,
        1_000_000 - MAX_LINE_LENGTH,
        [],
      ]);
    }
  });

  it('cuts lines at a character boundary', () => {
    const [line] = new LineAssembler().take([piece(`${'x'.repeat(MAX_LINE_LENGTH - 1)}🦊ü\n`)], 0);
    expect([line?.text, line?.cut]).toEqual(['x'.repeat(MAX_LINE_LENGTH - 1), 6]);
    const [full] = new LineAssembler().take([piece(`${'ü'.repeat(MAX_LINE_LENGTH)}\n`)], 0);
    expect([full?.text.length, full?.cut]).toEqual([MAX_LINE_LENGTH, 0]);
    const [zeros] = new LineAssembler().take(
      [piece(Buffer.concat([Buffer.alloc(MAX_LINE_LENGTH), Buffer.from('\n')]))],
      0,
    );
    expect([zeros?.text.length, zeros?.cut]).toEqual([MAX_LINE_LENGTH, MAX_LINE_LENGTH / 2]);
  });

  it('returns a line without an end after a second, and marks the rest as its continuation', () => {
    const assembler = new LineAssembler();
    assembler.take([piece('password: ', 1)], 1000);
    expect(assembler.hasPartial).toBe(true);
    expect(assembler.takePartial(1000 + PARTIAL_LINE_MS - 1)).toEqual([]);
    expect(textsOf(assembler.takePartial(1000 + PARTIAL_LINE_MS))).toEqual(['password: ']);
    expect([assembler.hasPartial, assembler.takePartial(9000)]).toEqual([false, []]);
    const [rest] = assembler.take([piece('accepted\n', 7)], 9000);
    expect([rest?.text, rest?.continues, rest?.time]).toEqual(['accepted', true, 7]);
    const [next] = assembler.take([piece('next\n', 8)], 9000);
    expect(next?.continues).toBe(false);
  });

  it('waits longer after a piece of exactly 16 KB, because the engine split the line', () => {
    const assembler = new LineAssembler();
    for (let count = 0; count < 3; count += 1) assembler.take([piece('x'.repeat(16 * 1024))], 0);
    expect(assembler.takePartial(NEXT_PIECE_MS - 1)).toEqual([]);
    const [line] = assembler.take([piece(`${'x'.repeat(1000)}\n`)], NEXT_PIECE_MS - 1);
    expect(line?.text).toHaveLength(3 * 16 * 1024 + 1000);
    // A program may have written exactly that many bytes.
    assembler.take([piece('y'.repeat(16 * 1024))], 0);
    expect(assembler.takePartial(NEXT_PIECE_MS)).toHaveLength(1);
  });

  it('returns no empty line for the end of a returned line', () => {
    const assembler = new LineAssembler();
    assembler.take([piece('ready', 1)], 0);
    expect(assembler.takePartial(PARTIAL_LINE_MS)).toHaveLength(1);
    expect(assembler.take([piece('\r\n', 2)], 2000)).toEqual([]);
    expect(textsOf(assembler.take([piece('\n', 3)], 2000))).toEqual(['']);
  });

  it('returns the last line when the source ends', () => {
    const assembler = new LineAssembler();
    assembler.take([piece('last words')], 0);
    expect(textsOf(assembler.flush())).toEqual(['last words']);
    expect(assembler.flush()).toEqual([]);
  });

  it('removes all carriage returns at the end of a line', () => {
    const assembler = new LineAssembler();
    const lines = assembler.take([piece('a\r\r\nb\r', 5), piece('\r\n\r\r\n', 6)], 0);
    expect(lines.map(({ text }) => text)).toEqual(['a', 'b', '']);
  });
});
