import { describe, expect, it } from '@jest/globals';
import { timeText } from './arguments.js';

describe('timeText', () => {
  it('accepts RFC 3339 and how long ago a time is', () => {
    expect(timeText('2026-11-21T09:30:00.5+02:00')).toBe('2026-11-21T09:30:00.5+02:00');
    const ago = Date.now() - Date.parse(timeText('15m'));
    expect(Math.abs(ago - 15 * 60_000)).toBeLessThan(5000);
  });

  it.each(['yesterday', '15', '15w', '2026-11-21', '2026-99-21T00:00:00Z'])('rejects %s', (text) => {
    expect(() => timeText(text)).toThrow('It must be a time such as');
  });
});
