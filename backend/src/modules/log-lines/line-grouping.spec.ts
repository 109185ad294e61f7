import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../test/support/cpu-time.js';
import { LineGrouping } from './line-grouping.js';

function grouped(lines: readonly string[], timeOf = (index: number): number => index): string[][] {
  const grouping = new LineGrouping();
  const groups: string[][] = [];
  lines.forEach((text, index) => {
    if (grouping.continues('stderr', timeOf(index), text)) groups.at(-1)?.push(text);
    else groups.push([text]);
  });
  return groups;
}

const JAVA = [
  'java.lang.IllegalStateException: gone',
  '\tat shop.Cart.pay(Cart.java:12)',
  '\tat shop.Main.main(Main.java:3)',
  'Caused by: java.net.ConnectException: refused',
  '\tat java.net.Socket.connect(Socket.java:1)',
  '\t... 12 more',
];
const PYTHON = [
  'Traceback (most recent call last):',
  '  File "/app/main.py", line 3, in <module>',
  '    pay()',
  'shop.errors.PaymentError: refused',
];
const GO = [
  'panic: runtime error: index out of range [5] with length 3',
  '',
  'goroutine 1 [running]:',
  'main.pay({0xc000012345, 0x3})',
  '\t/app/main.go:12 +0x1d',
  'main.main()',
  '\t/app/main.go:5 +0x1d',
  'exit status 2',
];
const NODE = [
  'TypeError: x is not a function',
  '    at pay (/app/cart.js:3:5)',
  '    at node:internal/main:1:1',
];
const PRINTED = ['config {', '  port: 80', '}'];

describe('LineGrouping', () => {
  it.each([
    ['Java', JAVA],
    ['Python', PYTHON],
    ['Go', GO],
    ['Node', NODE],
    ['an object', PRINTED],
  ])('groups a trace of %s without the lines around it', (_name, trace) => {
    expect(grouped(['INFO before', ...trace, 'INFO after'])).toEqual([
      ['INFO before'],
      trace,
      ['INFO after'],
    ]);
  });

  it('does not group lines more than 2 s apart', () => {
    const lines = ['config', '  port: 80'];
    expect(grouped(lines, (index) => index * 2_000_000)).toEqual([lines]);
    expect(grouped(lines, (index) => index * 2_000_001)).toEqual([['config'], ['  port: 80']]);
  });

  it('groups lines per stream', () => {
    const grouping = new LineGrouping();
    grouping.continues('stdout', 1, 'config');
    expect(grouping.continues('stderr', 2, '  port: 80')).toBe(false);
    expect(grouping.continues('stdout', 3, '  port: 80')).toBe(true);
  });

  it('does not group a first line', () => {
    expect(new LineGrouping().continues(null, 1, '\tat x')).toBe(false);
  });

  it('limits groups to 500 lines', () => {
    const groups = grouped(Array.from({ length: 1200 }, () => '  indented'));
    expect(groups.map(({ length }) => length)).toEqual([500, 500, 200]);
  });

  it('takes linear time on hostile lines', () => {
    const nasty = [
      'a.'.repeat(32_000),
      `thread '${'x'.repeat(65_000)}`,
      '('.repeat(65_000),
      ' '.repeat(65_000),
    ];
    const milliseconds = cpuTimeOf(() => grouped(nasty.flatMap((text) => Array<string>(100).fill(text))));
    expect(milliseconds).toBeLessThan(3000);
  });
});
