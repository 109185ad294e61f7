import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../test/support/cpu-time.js';
import type { Level } from '../../drivers/log-store/index.js';
import { levelOf } from './level.js';

const LINES: [text: string, level: Level | null][] = [
  // JSON of Node, Go, Python, Java and Google.
  ['{"level":30,"time":1732181042117,"msg":"listening"}', 'info'],
  ['{"level":"warn","ts":1732181042.1,"msg":"slow"}', 'warn'],
  ['{"ts":"x","LEVEL":"ERROR","msg":"gone"}', 'error'],
  ['{"severity":"CRITICAL","message":"gone"}', 'fatal'],
  ['{ "msg": "he said \\"level\\": \\"error\\"", "lvl" : "dbug" }', 'debug'],
  ['{"ctx":{"level":"error"},"level":"info"}', 'info'],
  ['{"key":"level","level":"trace"}', 'trace'],
  ['{"log.level":"error","message":"x"}', 'error'],
  ['{"msg":"an error"}', null],
  ['{"level":7}', null],
  ['{"level"', null],
  // logfmt.
  ['time=2026-11-21T09:44:02Z level=warning msg="disk is slow"', 'warn'],
  ['ts=1 caller=main.go:12 level="error" err="refused"', 'error'],
  ['loglevel=error', null],
  ['level=unknown msg=x', null],
  // klog.
  ['E1121 09:44:02.117003       1 controller.go:114] sync failed', 'error'],
  ['I1121 09:44:02.117003       1 server.go:1] ready', 'info'],
  ['Error 1121', null],
  // Level names in text.
  ['2026-11-21 09:44:02.117  INFO 1 --- [main] o.s.Application: Started', 'info'],
  ['2026/11/21 09:44:02 [error] 29#29: *1 connect() failed', 'error'],
  ['2026-11-21 09:44:02,117 - shop - WARNING - low stock', 'warn'],
  ['2026-11-21 09:44:02.117 UTC [1] LOG:  database system is ready', 'info'],
  ['2026-11-21 09:44:02.117 UTC [31] FATAL:  password authentication failed', 'fatal'],
  ['[WARN] retrying', 'warn'],
  ['<err> gone', 'error'],
  ['fail: Microsoft.Hosting.Lifetime[0]', 'error'],
  ['WARNING:root:low', 'warn'],
  ['npm ERR! missing script', 'error'],
  ['\x1b[32mINFO\x1b[0m ready', 'info'],
  ['\x1b[33mwarn\x1b[39m: low', 'warn'],
  ['panic: runtime error: index out of range', 'fatal'],
  ['  DEBUG  indented', 'debug'],
  // Words that are not levels.
  ['there was an error in the file', null],
  ['GET /info HTTP/1.1 200', null],
  ['LOG of today', null],
  ['information about the alert system', null],
  ['an ERRORS file', null],
  ['', null],
  [`${'x'.repeat(200)} ERROR`, null],
];

describe('levelOf', () => {
  it.each(LINES)('detects the level of %j: %s', (text, level) => {
    expect(levelOf(text)).toBe(level);
  });

  it('takes linear time on hostile lines', () => {
    const nasty = ['{'.repeat(65_536), '"'.repeat(65_536), '{"a":'.repeat(13_000), '\x1b['.repeat(32_000)];
    const milliseconds = cpuTimeOf(() => {
      for (const text of nasty) for (let time = 0; time < 100; time += 1) levelOf(text);
    });
    expect(milliseconds).toBeLessThan(3000);
  });
});
