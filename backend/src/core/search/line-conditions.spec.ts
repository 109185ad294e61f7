import { describe, expect, it } from '@jest/globals';
import { LineConditions } from './line-conditions.js';

describe('LineConditions with a field', () => {
  const conditions = new LineConditions({
    text: null,
    regex: false,
    matchCase: false,
    levels: null,
    streams: null,
    without: [],
    fields: [{ name: 'status', value: '503' }],
    withoutFields: [],
  });

  it.each([
    ['status=503', true],
    ['trace=a503b status=503', true],
    ['{"trace":"5031","status":503}', true],
    ['status=\x1b[31m503\x1b[0m path=/', true],
    ['status=200 trace=a503b', false],
    ['status=1503 duration=503ms', false],
    ['code=503', false],
  ])('decides %j', (text, expected) => {
    expect(conditions.acceptFields(text)).toBe(expected);
  });
});
