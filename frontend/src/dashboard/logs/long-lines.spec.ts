import { describe, expect, it } from '@jest/globals';
import { LongLines, MAX_CHARACTERS } from './long-lines';

describe('LongLines', () => {
  it('drops the oldest lines beyond the limit', () => {
    const texts = new LongLines();
    const text = 'x'.repeat(64_000);
    const room = Math.floor(MAX_CHARACTERS / text.length);
    for (let seq = 0; seq < room; seq += 1) texts.add(seq, { text, cut: seq });
    expect([texts.get(0)?.cut, texts.get(room - 1)?.cut]).toEqual([0, room - 1]);
    texts.add(room, { text, cut: 0 });
    expect([texts.get(0), texts.get(1)?.text.length, texts.get(room)?.text]).toEqual([
      undefined,
      text.length,
      text,
    ]);
  });
});
