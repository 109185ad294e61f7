import { describe, expect, it } from '@jest/globals';
import type { LogLine } from '../../drivers/log-store/index.js';
import { identityOf } from '../../../../test/support/logs/lines.js';
import { AlertQueryDto } from './alert-query.dto.js';
import { LineMatch } from './line-match.js';

const EVERY = new AlertQueryDto();
const SOURCE = { id: 1, identity: identityOf('api') };

function line(text: string, level: LogLine['level'] = 'error'): LogLine {
  return { seq: 1, time: 1, stream: 'stdout', level, text, cut: 0, continues: false };
}

const frame = (text: string): LogLine => ({ ...line(text), continues: true });

function fits(query: Partial<AlertQueryDto>, given: LogLine): boolean {
  return new LineMatch({ ...EVERY, ...query }).fits(given, SOURCE);
}

describe('LineMatch', () => {
  it.each<[Partial<AlertQueryDto>, LogLine, boolean]>([
    [{}, line(''), true],
    [{ text: 'Timeout' }, line('upstream TIMEOUT'), true],
    [{ text: 'Timeout', case: true }, line('upstream timeout'), false],
    [{ text: 'Timeout', case: true }, line('Timeout'), true],
    [{ text: 'a.c' }, line('abc'), false],
    [{ without: ['Health'] }, line('GET /health'), false],
    [{ without: ['health', 'ready'] }, line('GET /orders'), true],
    [{ level: ['warn', 'error'] }, line('x'), true],
    [{ level: ['warn'] }, line('x'), false],
    [{ level: ['none'] }, line('x', null), true],
    [{ level: ['none'] }, line('x'), false],
    [{ level: ['error'] }, frame('  at x'), false],
    [{ level: ['error'], without: ['y'] }, frame('  at x'), false],
    [{ level: ['error'], text: 'at x' }, frame('  at x'), true],
    [{ level: ['error'], field: ['code:7'] }, frame('  code=7'), true],
    [{ level: ['warn'], text: 'at x' }, frame('  at x'), false],
    [{}, frame('  at x'), true],
    [{ field: ['status:504'] }, line('{"status":504}'), true],
    [{ field: ['status:504'] }, line('{"status":"504"}'), true],
    [{ field: ['status:504'] }, line('{"status":5040}'), false],
    [{ field: ['http.status:504'] }, line('{"http":{"status":504}}'), true],
    [{ field: ['status:504', 'method:GET'] }, line('method=GET status=504'), true],
    [{ field: ['status:504', 'method:GET'] }, line('method=POST status=504'), false],
    [{ field: ['url:http://a/b'] }, line('url=http://a/b'), true],
    [{ field: ['__proto__:1'] }, line('plain __proto__'), false],
    [{ without_field: ['status:504'] }, line('{"status":504}'), false],
    [{ without_field: ['status:504'] }, line('status=200'), true],
    [{ without_field: ['status:504'] }, line('took 504 ms'), true],
    [{ without_field: ['status:504', 'status:200'] }, line('status=200'), false],
    [{ without_field: ['msg:a b'] }, line('msg="a b"'), false],
    [{ field: ['status:504'], without_field: ['method:GET'] }, line('method=POST status=504'), true],
    [{ field: ['status:504'], without_field: ['method:GET'] }, line('method=GET status=504'), false],
    [{ query: 'status>=500 -path:healthz' }, line('status=504 path=/a'), true],
    [{ query: 'status>=500 -path:healthz' }, line('status=504 path=/healthz'), false],
    [{ query: '(timeout OR refused) level>=warn', without: ['lock'] }, line('timeout', 'warn'), true],
    [{ query: '(timeout OR refused) level>=warn', without: ['lock'] }, line('lock timeout', 'warn'), false],
    [{ query: '(timeout OR refused) level>=warn' }, line('timeout', 'info'), false],
    [{ query: 'source:api' }, line('x'), true],
    [{ query: 'source:web OR timeout' }, line('x'), false],
    [{ query: '-source:web' }, line('x'), true],
    [{ query: 'level:error' }, frame('  at x'), false],
  ])('%j', (query, given, expected) => {
    expect(fits(query, given)).toBe(expected);
  });

  it('takes the regex of a query, and rejects one that cannot be left to a process', () => {
    const match = new LineMatch({ ...EVERY, query: '/a+b/ -timeout' });
    expect(match.regex).toEqual({ source: 'a+b', flags: 'i' });
    expect(match.fits(line('timeout'), SOURCE)).toBe(false);
    for (const query of ['/a/ OR b', '-/a/', '/a/ /b/']) {
      expect(() => new LineMatch({ ...EVERY, query })).toThrow('one regex');
    }
  });

  it('leaves a regex to its process, and checks everything else', () => {
    const match = new LineMatch({ ...EVERY, text: 'a+b', regex: true, level: ['error'] });
    expect(match.regex).toEqual({ source: 'a+b', flags: 'i' });
    expect(match.fits(line('something else'), SOURCE)).toBe(true);
    expect(match.fits(line('aab', 'info'), SOURCE)).toBe(false);
    expect(new LineMatch({ ...EVERY, text: 'a', regex: true, case: true }).regex?.flags).toBe('');
    expect(new LineMatch(EVERY).regex).toBeNull();
  });
});
