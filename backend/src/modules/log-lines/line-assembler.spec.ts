import { describe, expect, it } from '@jest/globals';
import type { LogPiece, LogStream } from '../../drivers/runtime/index.js';
import { MAX_LINE_LENGTH, type NewLogLine } from '../../drivers/log-store/index.js';
import { CUT_MS, LineAssembler, UNENDED_MS } from './line-assembler.js';

function piece(data: string | Buffer, time = 1, stream: LogStream | null = 'stdout'): LogPiece {
  return { stream, time, data: Buffer.from(data) };
}

function textsOf(lines: readonly NewLogLine[]): string[] {
  return lines.map(({ text }) => text);
}

describe('the lines of a source', () => {
  it('are told with time, stream and level', () => {
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

  it('have the level of the line that they belong to, each stream for itself', () => {
    const assembler = new LineAssembler();
    const levels = (...pieces: LogPiece[]): unknown[] =>
      assembler.take(pieces, 0).map(({ level, continues }) => [level, continues]);
    expect(
      levels(
        piece('ERROR gone\n', 5, 'stderr'),
        piece('INFO ready\n', 6),
        piece('  WARN in its text\n', 7, 'stderr'),
        piece('  port: 80\n', 8),
      ),
    ).toEqual([
      ['error', false],
      ['info', false],
      ['error', true],
      ['info', true],
    ]);
    // Also of a later batch, up to the line that stands for itself.
    expect(levels(piece('\tat x\n', 9, 'stderr'), piece('bare\n', 10), piece('  of bare\n', 11))).toEqual([
      ['error', true],
      [null, false],
      [null, true],
    ]);
  });

  it('are joined of pieces, of each stream for itself, with the time of the first', () => {
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

  it('are split where one piece holds several, as of a terminal', () => {
    const lines = new LineAssembler().take([piece('a\r\nb\r\n\r\n10%\r20%\r\nc\r', 1, null)], 0);
    expect(textsOf(lines)).toEqual(['a', 'b', '', '10%\r20%']);
  });

  it('are decoded over the ends of pieces', () => {
    const bytes = Buffer.from('grüße 🦊\n');
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const pieces = [piece(bytes.subarray(0, cut)), piece(bytes.subarray(cut))];
      expect(textsOf(new LineAssembler().take(pieces, 0))).toEqual(['grüße 🦊']);
    }
  });

  it.each([
    [Buffer.from('caf\xe9 \xff\xfe', 'latin1'), 'caf\\xE9 \\xFF\\xFE'],
    [Buffer.from([0x61, 0, 0x62]), 'a\\0b'],
    // A character cut off, one written longer than it is, half of a pair, and one beyond Unicode.
    [Buffer.from([0xf0, 0x9f, 0xa6]), '\\xF0\\x9F\\xA6'],
    [Buffer.from([0xc0, 0x80]), '\\xC0\\x80'],
    [Buffer.from([0xed, 0xa0, 0x80]), '\\xED\\xA0\\x80'],
    [Buffer.from([0xf5, 0x80, 0x80, 0x80]), '\\xF5\\x80\\x80\\x80'],
    [Buffer.from('a \ufffd that was written'), 'a \ufffd that was written'],
    [Buffer.from('\x1b]0;title\x07 <b>'), '\x1b]0;title\x07 <b>'],
  ])('show every byte of %j', (bytes, text) => {
    expect(textsOf(new LineAssembler().take([piece(Buffer.concat([bytes, Buffer.from('\n')]))], 0))).toEqual([
      text,
    ]);
  });

  it('are cut at 64 k characters, and what was cut is counted, however it came', () => {
    const whole = Buffer.from(`${'x'.repeat(1_000_000)}\n`);
    const pieces: LogPiece[] = [];
    for (let at = 0; at < whole.length; at += 16_384) pieces.push(piece(whole.subarray(at, at + 16_384)));
    for (const came of [pieces, [piece(whole)]]) {
      const [line, ...others] = new LineAssembler().take(came, 0);
      expect([line?.text.length, line?.cut, others]).toEqual([
        MAX_LINE_LENGTH,
        1_000_000 - MAX_LINE_LENGTH,
        [],
      ]);
    }
  });

  it('are cut between characters', () => {
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

  it('are shown without their end after a second, and what follows continues them', () => {
    const assembler = new LineAssembler();
    assembler.take([piece('password: ', 1)], 1000);
    expect(assembler.unended).toBe(true);
    expect(assembler.takeUnended(1000 + UNENDED_MS - 1)).toEqual([]);
    expect(textsOf(assembler.takeUnended(1000 + UNENDED_MS))).toEqual(['password: ']);
    expect([assembler.unended, assembler.takeUnended(9000)]).toEqual([false, []]);
    const [rest] = assembler.take([piece('accepted\n', 7)], 9000);
    expect([rest?.text, rest?.continues, rest?.time]).toEqual(['accepted', true, 7]);
    const [next] = assembler.take([piece('next\n', 8)], 9000);
    expect(next?.continues).toBe(false);
  });

  it('wait longer where the engine cut them: the rest of so many bytes is on its way', () => {
    const assembler = new LineAssembler();
    for (let count = 0; count < 3; count += 1) assembler.take([piece('x'.repeat(16 * 1024))], 0);
    expect(assembler.takeUnended(CUT_MS - 1)).toEqual([]);
    const [line] = assembler.take([piece(`${'x'.repeat(1000)}\n`)], CUT_MS - 1);
    expect(line?.text).toHaveLength(3 * 16 * 1024 + 1000);
    // A program may have written just so many bytes, and no more.
    assembler.take([piece('y'.repeat(16 * 1024))], 0);
    expect(assembler.takeUnended(CUT_MS)).toHaveLength(1);
  });

  it('have no empty one for the end of what was shown', () => {
    const assembler = new LineAssembler();
    assembler.take([piece('ready', 1)], 0);
    expect(assembler.takeUnended(UNENDED_MS)).toHaveLength(1);
    expect(assembler.take([piece('\r\n', 2)], 2000)).toEqual([]);
    expect(textsOf(assembler.take([piece('\n', 3)], 2000))).toEqual(['']);
  });

  it('end with their source, or are forgotten where they will be read again', () => {
    const assembler = new LineAssembler();
    assembler.take([piece('last words')], 0);
    expect(textsOf(assembler.flush())).toEqual(['last words']);
    expect(assembler.flush()).toEqual([]);
    assembler.take([piece('half')], 0);
    assembler.discard();
    expect(assembler.flush()).toEqual([]);
  });
});
