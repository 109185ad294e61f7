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

const RUST = [
  "thread 'main' (7) panicked at src/main.rs:3:5:",
  'index out of bounds: the len is 3 but the index is 5',
  'stack backtrace:',
  '   0: rust_begin_unwind',
  '             at /rustc/a1/library/std/src/panicking.rs:697:5',
  'note: Some details are omitted',
];
const DOTNET = [
  'Unhandled exception. System.InvalidOperationException: declined',
  ' ---> System.Net.Sockets.SocketException (111): Connection refused',
  '   at Shop.Pay.Run() in /src/Pay.cs:line 12',
  '   --- End of inner exception stack trace ---',
  '   at Shop.Program.Main()',
];
const RUBY = [
  "app.rb:3:in 'pay': refused (RuntimeError)",
  "\tfrom app.rb:7:in 'block in run'",
  "\tfrom app.rb:9:in '<main>'",
];
const PHP = [
  'PHP Fatal error:  Uncaught Exception: declined in /app/a.php:3',
  'Stack trace:',
  '#0 /app/a.php(7): pay()',
  '#1 {main}',
  '  thrown in /app/a.php on line 3',
];
const PYTHON_CHAIN = [
  ...PYTHON,
  '',
  'During handling of the above exception, another exception occurred:',
  '',
  'Traceback (most recent call last):',
  '  File "/app/main.py", line 9, in <module>',
  '    retry()',
  '    ~~~~~^^',
  'shop.Declined',
];

/** Each line with its level and whether it continues, one millisecond or the given seconds after the previous one. */
function read(lines: readonly (string | number)[]): [string, string | null, boolean][] {
  const grouping = new LineGrouping();
  const result: [string, string | null, boolean][] = [];
  let time = 0;
  for (const line of lines) {
    time += typeof line === 'number' ? line * 1_000_000 : 1000;
    if (typeof line === 'number') continue;
    const continues = grouping.continues(null, time, line);
    result.push([line, grouping.level(null, continues, line), continues]);
  }
  return result;
}

describe('LineGrouping', () => {
  it.each([
    ['Java', JAVA],
    ['Python', PYTHON],
    ['Go', GO],
    ['Node', NODE],
    ['an object', PRINTED],
    ['Rust', RUST],
    ['.NET', DOTNET],
    ['Ruby', RUBY],
    ['PHP', PHP],
    ['Python with a cause', PYTHON_CHAIN],
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

  it('starts an entry at an indented line with its own level or time', () => {
    const lines = [
      'ERROR L01 a payment failed',
      ' INFO L01 b retry planned',
      ' WARN L01 c queue is long',
      'DEBUG L01 d tick',
      '  2026-11-27T10:00:00.1Z ERROR l01: f failed',
      '    at src/main.rs:10',
      '  2026-11-27T10:00:00.2Z  INFO l01: g fine',
      '    at src/main.rs:11',
      '  10:00:00 started',
      ' [WARN] x',
      '  \u001b[2m2026-11-27T10:00:00.1Z\u001b[0m \u001b[31mERROR\u001b[0m x',
      '    E1127 10:00:00.000000       1 x.go:1] x',
    ];
    expect(read(lines).map(([, level, continues]) => [level, continues])).toEqual([
      ['error', false],
      ['info', false],
      ['warn', false],
      ['debug', false],
      ['error', false],
      ['error', true],
      ['info', false],
      ['info', true],
      [null, false],
      ['warn', false],
      ['error', false],
      ['error', false],
    ]);
  });

  it.each([
    '  time="2026-11-28T20:00:00Z" level=error msg=b',
    ' level=error msg=b',
    ' [error] b',
    ' app.ERROR: b',
    ' web | ERROR b',
    ' <3>b',
    ' 1700000000.123 ERROR b',
  ])('starts an entry at %j', (line) => {
    expect(grouped(['INFO a', line])).toEqual([['INFO a'], [line]]);
  });

  it.each([' [one] of them', ' time=5', ' app.error: b', ' <b>text'])(
    'keeps %j with the line before',
    (line) => {
      expect(grouped(['INFO a', line])).toEqual([['INFO a', line]]);
    },
  );

  it('starts an entry at an indented object', () => {
    expect(read(['INFO x', ' {"level":"error"}', ' {"order":7}'])).toEqual([
      ['INFO x', 'info', false],
      [' {"level":"error"}', 'error', false],
      [' {"order":7}', null, false],
    ]);
    expect(grouped(['items: [', '  {"order":7},', '  {"order":8}', ']'])).toHaveLength(1);
  });

  it('keeps indented text with the line before it', () => {
    const lines = ['info: Shop.Pay[0]', '      ERROR in the message', '      error: declined'];
    expect(read(lines).map(([, level]) => level)).toEqual(['info', 'info', 'info']);
    expect(grouped(['WARN config', '  error: none', '  Error pages: 3', '  SELECT 1'])).toHaveLength(1);
  });

  it('gives frames the level of the line before them, also later and behind empty lines', () => {
    const lines = ['ERROR gone', 3, '\tat a.B.c(B.java:1)', '', '   ', '\tat a.B.d(B.java:2)', 'ready'];
    expect(read(lines).map(([, level, continues]) => [level, continues])).toEqual([
      ['error', false],
      ['error', true],
      ['error', true],
      ['error', true],
      ['error', true],
      [null, false],
    ]);
    expect(read(['ERROR gone', '', '\tat a.B.c(B.java:1)']).at(-1)?.[1]).toBe('error');
    expect(read(['WARN gone', 120, '\tat a.B.c(B.java:1)']).at(-1)?.[2]).toBe(false);
  });

  it('attaches an exception to the error that is logged above it', () => {
    const java = ['10:00:00 [main] ERROR c.e.App - failed', ...JAVA];
    expect(grouped(java)).toHaveLength(2);
    expect(read(java).map(([, level, continues]) => [level, continues])).toEqual([
      ['error', false],
      ...JAVA.map(() => ['error', true]),
    ]);
    expect(read(['ERROR:root:failed', ...PYTHON]).every(([, level]) => level === 'error')).toBe(true);
    expect(read(['INFO ready', ...PYTHON]).map(([, level]) => level)).toEqual([
      'info',
      ...PYTHON.map(() => 'error'),
    ]);
  });

  it('ends a trace at the first other line', () => {
    const lines = [...PYTHON, '', 'L15 after an empty line'];
    expect(read(lines).at(-1)).toEqual(['L15 after an empty line', null, false]);
    expect(read([...JAVA, 'Server: started']).at(-1)?.[2]).toBe(false);
  });

  it('ends a trace at a line with a level below indented text', () => {
    const group = ['Traceback (most recent call last):', '  + Exception Group:', '    +-----'];
    for (const next of ['INFO:     Shutting down', 'WARNING: slow', 'ERROR']) {
      expect(grouped([...group, next])).toEqual([group, [next]]);
    }
  });

  it('groups causes of Logback and functions of the Go runtime', () => {
    const java = [...JAVA, 'Wrapped by: java.lang.Error: y', '\tat A.b(C.java:2)'];
    const go = ['panic: x', 'main.run', '\t/app/main.go:10', 'runtime.main', '\t/go/proc.go:283'];
    for (const lines of [java, go]) {
      expect(grouped([...lines, 'INFO after'])).toEqual([lines, ['INFO after']]);
    }
  });

  it('takes the level of an object that is printed over several lines', () => {
    const lines = [
      '{',
      '  "ctx": {',
      '    "level": "debug"',
      '  },',
      '  "level": "error",',
      '  "msg": "x"',
      '}',
      'x',
    ];
    expect(read(lines).map(([, level, continues]) => [level, continues])).toEqual([
      [null, false],
      [null, true],
      [null, true],
      [null, true],
      ['error', true],
      ['error', true],
      ['error', true],
      [null, false],
    ]);
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
      `{\n${'  "a": {'.repeat(9000)}`,
      `${'/'.repeat(65_000)}:in `,
      `  ${'['.repeat(65_000)}`,
    ];
    const milliseconds = cpuTimeOf(() => grouped(nasty.flatMap((text) => Array<string>(100).fill(text))));
    expect(milliseconds).toBeLessThan(3000);
  });
});
