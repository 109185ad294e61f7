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
  ['{"tags":["error","web"],"level":"info"}', 'info'],
  ['{"tags":["web","error"]}', null],
  ['{"label":"system","msg":"x"}', null],
  ['{"priority":"Error","msg":"x"}', null],
  ['[\x1b[0;1;31mFAILED\x1b[0m] Failed to start containerd.service.', 'error'],
  ['[\x1b[0;1;38:5:185mDEPEND\x1b[0m] Dependency failed for kubelet.service.', 'warn'],
  ['warn [x]', null],
  // logfmt.
  ['time=2026-11-21T09:44:02Z level=warning msg="disk is slow"', 'warn'],
  ['ts=1 caller=main.go:12 level="error" err="refused"', 'error'],
  ['loglevel=error', null],
  ['LEVEL=ERROR msg=gone', 'error'],
  ["ts=1 level='error' msg=gone", 'error'],
  ['level=unknown msg=x', null],
  // klog.
  ['E1121 09:44:02.117003       1 controller.go:114] sync failed', 'error'],
  ['I1121 09:44:02.117003       1 server.go:1] ready', 'info'],
  ['Error 1121', null],
  // MongoDB before 4.4, and SLF4J.
  ['2026-11-29T08:12:01.123+0000 E STORAGE  [initandlisten] WiredTiger error (17)', 'error'],
  ['2026-11-29T08:12:01.123+0000 D1 NETWORK  [ReplicaSetMonitor] Starting monitor', 'debug'],
  ['2026-11-29T08:12:01.123+0000 I CONTROL  [main] ready', 'info'],
  ['2026-11-29T08:12:01.123+0000 A B C', null],
  ['2026-11-29 08:12:01 I think so', null],
  ['SLF4J(W): No SLF4J providers were found.', 'warn'],
  ['plan (B): no', null],
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
  // Other names, scales and paths.
  ['{"message":"x","context":{},"level":400,"level_name":"ERROR"}', 'error'],
  ['{"level":250}', 'info'],
  ['{"level":600}', 'fatal'],
  ['{"@t":"x","@mt":"gone","@l":"Error"}', 'error'],
  ['{"@t":"x","@mt":"gone"}', 'info'],
  ['{"severityNumber":17,"body":"x"}', 'error'],
  ['{"SeverityText":"Warning","Body":"x"}', 'warn'],
  ['{"severity_number":4}', 'trace'],
  ['{"t":{"$date":"x"},"s":"E","c":"NETWORK","msg":"x"}', 'error'],
  ['{"t":{"$date":"x"},"s":"D2","c":"NETWORK","msg":"x"}', 'debug'],
  ['{"s":"Error"}', null],
  ['{"log":{"level":"error","logger":"x"}}', 'error'],
  ['{"log":{"syslog":{"severity":{"code":4}}}}', 'warn'],
  ['{"log":{"x":{"level":"error"}}}', null],
  ['{"LogLevel":"Critical"}', 'fatal'],
  ['{"log_level":"ERROR"}', 'error'],
  ['{"levelno":40}', 'error'],
  ['{"severity":400}', 'warn'],
  ['{"level":"WARN+1"}', 'warn'],
  ['{"level_value":30000}', 'warn'],
  ['{"PRIORITY":"3","MESSAGE":"x"}', 'error'],
  ['{"priority":3}', null],
  ['{"version":"1.1","host":"a","short_message":"x","level":4}', 'warn'],
  ['{"record":{"level":{"name":"SUCCESS","no":25}}}', 'info'],
  ['{"level":"info","level":"error"}', 'error'],
  ['{"level":"info","msg":"\\"level\\":\\"error\\""}', 'info'],
  ['{"level":"error","msg":"cut of', 'error'],
  ['{"type":"error"}', null],
  ['{"status":"error","error":"fatal"}', null],
  // Objects behind a prefix.
  ['2026-11-27T10:00:00Z {"level":"error","msg":"x"}', 'error'],
  ['web-1 | {"level":"error","msg":"x"}', 'error'],
  ['INFO 2026-11-27 payload={"level":"error"}', 'info'],
  ['2026-11-27T10:00:00Z {"level":"info","msg":"ERROR"}', 'info'],
  // Prefixes.
  ['[Fri Nov 27 10:00:00.123456 2026] [core:error] [pid 7:tid 140] x', 'error'],
  ['[Fri Nov 27 10:00:00.123456 2026] [ssl:trace8] [pid 7] x', 'trace'],
  ['[10:00:00] [Server thread/INFO]: Done', 'info'],
  ['[2026-11-27T10:00:00+00:00] app.ERROR: x {} []', 'error'],
  ['7:M 27 Nov 2026 10:00:00.000 # x', 'warn'],
  ['redis-1 | 7:C 27 Nov 2026 10:00:00.000 * x', 'info'],
  ['7:M 27 Nov 2026 10:00:00.000 . x', 'debug'],
  ['<3>x', 'error'],
  ['<34>1 2026-11-27T10:00:00Z host su - ID47 - x', 'fatal'],
  ['<4711>x', null],
  ['2026-11-27 10:00:00.000000 E | op-mon: x', 'error'],
  ['2026-11-27T10:00:00Z W! [inputs.cpu] x', 'warn'],
  ['[E 2026-11-27 10:00:00.000 ServerApp] x', 'error'],
  ['[2026/11/27 10:00:00] [ warn] [engine] x', 'warn'],
  ['2026-11-27T10:00:00.000000Z\tinfo\tads\tx', 'info'],
  ['[Nest] 7  - 11/27/2026, 10:00:00 AM     LOG [NestFactory] x', 'info'],
  ['2026-11-27T10:00:00Z 0 [Note] [MY-010068] x', 'info'],
  ['2026/11/27 10:00:00 [alert] 7#7: x', 'fatal'],
  ['2026-11-27 10:00:00.000 UTC [7] DEBUG2:  x', 'debug'],
  ['=ERROR REPORT==== 27-Nov-2026::10:00:00 ===', 'error'],
  ['host kubelet[1]: E1127 10:00:00.000000       1 x.go:1] x', 'error'],
  ['I20261127 10:00:00.000000     7 x.cc:1] x', 'info'],
  ['"2026-11-27","ERROR","x"', 'error'],
  ['time=x level=WARN+1 msg=x', 'warn'],
  ['time=x msg="set level=error" level=info', 'info'],
  ['2026-11-27 INFO set level=error', 'info'],
  ['2026-11-27 10:00:00 warn  queue is long', 'warn'],
  ['[2026-11-27T10:00:00.000Z] error failed', 'error'],
  ['10 error pages', null],
  ['npm error code E404', 'error'],
  ['2026-11-27,ERROR,x', 'error'],
  // Words that are not levels.
  ['GET /errors/ERROR?level=error 200', null],
  ['GET /errors/ERROR 200', null],
  ['GET /x?level=ERROR 200', null],
  ['10.0.0.1 - - [27/Nov/2026:10:00:00 +0000] "GET /x HTTP/1.1" 200 5 "-" "an ERROR"', null],
  ['Note that it works', null],
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
