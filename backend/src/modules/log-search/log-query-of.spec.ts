import { describe, expect, it } from '@jest/globals';
import { logQueryOf } from './log-query-of.js';
import { LineFilterDto } from './search-request.dto.js';

const NOW = Date.parse('2026-11-21T10:00:00Z') * 1000;
const MINUTE_US = 60_000_000;

function queryOf(request: Partial<LineFilterDto>): ReturnType<typeof logQueryOf> {
  return logQueryOf(Object.assign(new LineFilterDto(), request), NOW, () => []);
}

describe('logQueryOf', () => {
  it('matches all lines without conditions', () => {
    expect(queryOf({ q: '', without: [''] })).toEqual({
      sources: null,
      text: null,
      regex: false,
      matchCase: false,
      without: [],
      levels: null,
      streams: null,
      fields: [],
      withoutFields: [],
      condition: null,
      from: null,
      to: null,
    });
  });

  it('maps every condition', () => {
    const request = {
      q: 'a+',
      regex: true,
      case: true,
      without: ['b', ''],
      level: ['warn', 'none'],
      stream: ['stderr'],
      field: ['status:504', 'url:http://a'],
      without_field: ['method:GET'],
      sources: '17,21',
      from: '15m',
      to: '2026-11-21T10:00:00Z',
    };
    expect(queryOf(request)).toEqual({
      sources: [17, 21],
      text: 'a+',
      regex: true,
      matchCase: true,
      without: ['b'],
      levels: ['warn', 'none'],
      streams: ['stderr'],
      fields: [
        { name: 'status', value: '504' },
        { name: 'url', value: 'http://a' },
      ],
      condition: null,
      withoutFields: [{ name: 'method', value: 'GET' }],
      from: NOW - 15 * MINUTE_US,
      to: NOW,
    });
  });

  it('rejects an invalid time', () => {
    expect(() => queryOf({ from: 'soon' })).toThrow('RFC 3339');
  });
});
