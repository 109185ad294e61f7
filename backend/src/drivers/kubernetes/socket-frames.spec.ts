import { beforeEach, describe, expect, it } from '@jest/globals';
import { FrameReader, OPCODE } from './socket-frames.js';

const FIN = 0x80;

/** A frame with the shortest form of its length. */
function frame(first: number, payload: string | Buffer = ''): Buffer {
  const data = Buffer.from(payload);
  const head = Buffer.alloc(data.length < 126 ? 2 : data.length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = Math.min(data.length, head.length === 2 ? 125 : head.length === 4 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(data.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(data.length), 2);
  return Buffer.concat([head, data]);
}

describe('FrameReader', () => {
  let messages: string[];
  let controls: string[];
  let ends: number;
  let reader: FrameReader;

  beforeEach(() => {
    messages = [];
    controls = [];
    ends = 0;
    reader = new FrameReader({
      data: (piece, isFirst, isLast) => {
        if (isFirst) messages.push('');
        messages.push((messages.pop() ?? '') + piece.toString('latin1'));
        if (isLast) ends += 1;
      },
      control: (opcode, payload) => controls.push(`${opcode}:${payload.toString()}`),
    });
  });

  it.each([1, 3, 7, 100_000])('reads frames of each form of length in pieces of %d bytes', (size) => {
    const texts = ['a', 'b'.repeat(125), 'c'.repeat(126), 'd'.repeat(65_535), 'e'.repeat(65_536)];
    const bytes = Buffer.concat(texts.map((text) => frame(FIN | OPCODE.binary, text)));
    for (let at = 0; at < bytes.length; at += size) reader.read(bytes.subarray(at, at + size));
    expect(messages).toEqual(texts);
    expect(ends).toBe(texts.length);
  });

  it('joins a fragmented message, and reads control frames between its parts', () => {
    const parts = [
      frame(OPCODE.binary, 'one '),
      frame(FIN | OPCODE.ping, 'are you there'),
      frame(OPCODE.more, 'two '),
      frame(FIN | OPCODE.pong),
      frame(FIN | OPCODE.more, 'three'),
      frame(FIN | OPCODE.binary, 'next'),
      frame(FIN | OPCODE.close, 'xy'),
    ];
    for (const byte of Buffer.concat(parts)) reader.read(Buffer.of(byte));
    expect(messages).toEqual(['one two three', 'next']);
    expect(controls).toEqual(['9:are you there', '10:', '8:xy']);
  });

  it.each([
    ['masked frames', Buffer.from([FIN | OPCODE.binary, 0x81, 1, 2, 3, 4, 5])],
    ['reserved bits', frame(FIN | 0x40 | OPCODE.binary, 'x')],
    ['text', frame(FIN | 1, 'x')],
    ['unknown opcodes', frame(FIN | 11)],
    ['a part without a start', frame(FIN | OPCODE.more, 'x')],
    ['a message within another', Buffer.concat([frame(OPCODE.binary, 'x'), frame(OPCODE.binary, 'y')])],
    ['fragmented control frames', frame(OPCODE.ping)],
    ['control frames of more than 125 bytes', frame(FIN | OPCODE.ping, 'x'.repeat(126))],
    ['frames above the limit', Buffer.from([FIN | OPCODE.binary, 127, 0, 0, 0, 0, 1, 0, 0, 0])],
    ['lengths of 64 bits', Buffer.from([FIN | OPCODE.binary, 127, 255, 255, 255, 255, 255, 255, 255, 255])],
  ])('rejects %s', (_what, bytes) => {
    expect(() => reader.read(bytes)).toThrow('the API server sent an invalid WebSocket frame');
  });
});
