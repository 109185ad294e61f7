import { describe, expect, it } from '@jest/globals';
import { HIDDEN } from './hidden-characters.js';

/** Filled characters, and those that only look like a space. */
const BLANKS = '\u00a0\u1680\u2000\u200a\u202f\u205f\u3000\u2028\u2029\u115f\u1160\u3164\uffa0\u2800';
const FORMATS =
  '\u00ad\u034f\u061c\u17b4\u180b\u180e\u200b\u200d\u200f\u202e\u2060\u2069\ufe0e\ufe0f\ufeff\u{e0041}';
const CONTROLS = '\0\t\n\r\u001b\u007f\u009b\ud800\ue000';

describe('HIDDEN', () => {
  it.each([...BLANKS, ...FORMATS, ...CONTROLS])('finds %j in a name', (character) => {
    expect(`web${character}-1`.replace(HIDDEN, '!')).toBe('web!-1');
  });

  it.each(['web-1 of shop', 'Grüße, 世界 हिन्दी', 'e\u0301', '🚢', '❤️', '👨‍👩‍👧', '🏳️‍🌈', '👍🏽', '🧑🏽‍💻', '🇩🇪'])(
    'leaves %s, also the parts of an emoji',
    (text) => {
      expect(text.replace(HIDDEN, '!')).toBe(text);
    },
  );

  it.each(['web\ufe0f', '\ufe0f🚢', '🚢\ufe0f\ufe0f', '🚢\u200d', 'a\u200d🚢', '🚢\u200d1'])(
    'finds the character that joins nothing in %j',
    (text) => {
      expect([...text.matchAll(HIDDEN)]).toHaveLength(1);
    },
  );
});
