import { describe, expect, it } from '@jest/globals';
import { openCondition, parseQuery, printQuery, type QueryNode } from './query-language.js';

const text = (...pattern: string[]): QueryNode => ({ type: 'text', pattern });
const not = (part: QueryNode): QueryNode => ({ type: 'not', part });
const and = (...parts: QueryNode[]): QueryNode => ({ type: 'and', parts });
const or = (...parts: QueryNode[]): QueryNode => ({ type: 'or', parts });
const regex = (source: string): QueryNode => ({ type: 'regex', source });
const compare = (name: string, operator: string, ...pattern: string[]): QueryNode =>
  ({ type: 'compare', name, operator, pattern }) as QueryNode;

describe('parseQuery', () => {
  it.each<[string, QueryNode | null]>([
    ['', null],
    ['  ', null],
    ['timeout', text('timeout')],
    ['timeout -healthz', and(text('timeout'), not(text('healthz')))],
    ['level=error timeout', and(compare('level', '=', 'error'), text('timeout'))],
    ['status=504 upstream', and(compare('status', '=', '504'), text('upstream'))],
    ['/time.*out/ -ledger', and(regex('time.*out'), not(text('ledger')))],
    ['stream:stderr timeout', and(compare('stream', ':', 'stderr'), text('timeout'))],
    ['"context deadline"', text('context deadline')],
    ['a OR b', or(text('a'), text('b'))],
    ['a b OR c d', or(and(text('a'), text('b')), and(text('c'), text('d')))],
    ['(a OR b) c', and(or(text('a'), text('b')), text('c'))],
    ['-(a OR b)', not(or(text('a'), text('b')))],
    ['-(a b) c', and(not(and(text('a'), text('b'))), text('c'))],
    ['a AND b', and(text('a'), text('b'))],
    ['READ AND', and(text('READ'), text('AND'))],
    ['OR', text('OR')],
    ['OR a', and(text('OR'), text('a'))],
    ['(a OR)', and(text('a'), text('OR'))],
    ['or', text('or')],
    ['ORDER', text('ORDER')],
    ['-status=200', not(compare('status', '=', '200'))],
    ['status!=200', compare('status', '!=', '200')],
    ['duration>=1.5s', compare('duration', '>=', '1.5s')],
    ['time<2026-11-29T07:00:00Z', compare('time', '<', '2026-11-29T07:00:00Z')],
    ['level>=warn', compare('level', '>=', 'warn')],
    ['user="Ann Lee"', compare('user', '=', 'Ann Lee')],
    ['"urn:x:id"=7', compare('urn:x:id', '=', '7')],
    ['app.kubernetes.io/name=web', compare('app.kubernetes.io/name', '=', 'web')],
    ['path:/api/v1/pods', compare('path', ':', '/api/v1/pods')],
    ['path=/api/*', compare('path', '=', '/api/', '')],
    ['path:*api*', compare('path', ':', 'api')],
    ['trace_id:*', compare('trace_id', ':', '', '')],
    ['trace_id=*', compare('trace_id', '=', '', '')],
    ['name=""', compare('name', '=', '')],
    ['time*out', text('time', 'out')],
    ['*timeout*', text('timeout')],
    ['*', text('*')],
    ['"a*b"', text('a*b')],
    ['/api/v1/pods', text('/api/v1/pods')],
    ['/api/v1/', regex('api/v1')],
    ['/time out/', regex('time out')],
    ['/(a|b)"x/ y', and(regex('(a|b)"x'), text('y'))],
    ['(/a/ OR /b/)', or(regex('a'), regex('b'))],
    ['/a\\/b/', regex('a\\/b')],
    ['/', text('/')],
    ['//', text('//')],
    ['/api/v1 and more/', and(text('/api/v1'), text('and'), text('more/'))],
    ['http://shop.local/a?b=c', text('http://shop.local/a?b=c')],
    ['std::vector', text('std::vector')],
    ['a==b', text('a==b')],
    ['status:', text('status:')],
    ['status=', text('status=')],
    ['List<String>', text('List<String>')],
    ['a->b', text('a->b')],
    ['12:30:05', text('12:30:05')],
    ['connect(2)', text('connect(2)')],
    ['(connect(2) refused)', and(text('connect(2)'), text('refused'))],
    ['(deadline', text('(deadline')],
    ['deadline)', text('deadline)')],
    ['()', text('()')],
    ['( a', and(text('('), text('a'))],
    ['-', text('-')],
    ['--dry-run', text('--dry-run')],
    ['a - b', and(text('a'), text('-'), text('b'))],
    ['(a -)', and(text('a'), text('-'))],
    ['"open', text('"open')],
    ['"say \\"hi\\""', text('say "hi"')],
    ['"a"b', text('"a"b')],
    ['((a))', text('a')],
    ['größe=5 ÜBER', and(text('größe=5'), text('ÜBER'))],
  ])('reads %s', (query, expected) => {
    expect(parseQuery(query)).toEqual(expected);
  });

  it('reads hostile input in linear time', () => {
    const began = performance.now();
    for (const part of ['( ', '(', '-(', '(a) ( ', '/a ', '"', '(a OR ', 'a=', '\\', '/\\ ']) {
      parseQuery(part.repeat(2000 / part.length));
    }
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

/** Numbers from 0 to 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const ALPHABET = [
  'a',
  'b',
  'OR',
  'AND',
  ' ',
  '"',
  '\\',
  '/',
  '(',
  ')',
  '-',
  '*',
  ':',
  '=',
  '!',
  '>',
  '<',
  '5',
  '.',
  'é',
  '\t',
  '//',
  'level',
];

describe('printQuery', () => {
  it('prints what is read as the same condition', () => {
    const next = numbers(7);
    for (let count = 0; count < 20_000; count += 1) {
      const length = 1 + Math.floor(next() * 14);
      const query = Array.from({ length }, () => ALPHABET[Math.floor(next() * ALPHABET.length)]).join('');
      const node = parseQuery(query);
      const printed = printQuery(node);
      expect([query, printed, parseQuery(printed)]).toEqual([query, printed, node]);
    }
  });
});

describe('openCondition', () => {
  it.each<[string, ReturnType<typeof openCondition>]>([
    ['', { begin: 0, compared: undefined, typed: '' }],
    ['a ', { begin: 2, compared: undefined, typed: '' }],
    ['sta', { begin: 0, compared: undefined, typed: 'sta' }],
    ['a -(sta', { begin: 4, compared: undefined, typed: 'sta' }],
    ['a (b OR sta', { begin: 8, compared: undefined, typed: 'sta' }],
    ['status:', { begin: 0, compared: { name: 'status', operator: ':' }, typed: '' }],
    ['a -status=50', { begin: 3, compared: { name: 'status', operator: '=' }, typed: '50' }],
    ['status>=5', { begin: 0, compared: { name: 'status', operator: '>=' }, typed: '5' }],
    ['"urn:x:id"=7', { begin: 0, compared: { name: 'urn:x:id', operator: '=' }, typed: '7' }],
    ['user="Ann', { begin: 0, compared: { name: 'user', operator: '=' }, typed: 'Ann' }],
    ['pod:shop/a', { begin: 0, compared: { name: 'pod', operator: ':' }, typed: 'shop/a' }],
    ['"two words"', null],
    ['user="Ann Lee"', null],
    ['(a OR b)', null],
    ['/time.*out/', null],
  ])('of %j', (query, open) => {
    expect(openCondition(query)).toEqual(open);
  });
});
