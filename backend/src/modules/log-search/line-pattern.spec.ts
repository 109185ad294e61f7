import { describe, expect, it } from '@jest/globals';
import { patternOf } from './line-pattern.js';

describe('patternOf', () => {
  it.each([
    ['posted order=o-10216 amount=39.24 EUR', 'posted order=* amount=* EUR'],
    ['10.244.0.2 - - [26/Nov/2026:09:34:19 +0000] "GET /cart HTTP/1.1" 200 8439', '* - - [*/Nov/*] *'],
    ['took 3012ms for 550e8400-e29b-41d4-a716-446655440000 at 0xdeadbeef1', 'took * for * at *'],
    ['{"ts":"2026-11-26T09:34:18Z","msg":"request served in 17 ms","route":"/x"}', 'request served in * ms'],
    ['time="2026-11-26T09:34" level=info msg="ImageUpdate event 7"', 'ImageUpdate event *'],
    [
      'I1126 09:34:17.653000     712 kubelet.go:2468] "SyncLoop (ADD): event for pod" pod="shop/web"',
      'SyncLoop (ADD): event for pod',
    ],
    ['\x1b[31mGET\x1b[0m /stock/4711', 'GET /stock/*'],
    ['k8s worker2 ready', 'k8s worker2 ready'],
    ['', ''],
  ])('masks what varies in %j', (line, pattern) => {
    expect(patternOf(line).pattern).toBe(pattern);
  });

  it('gives a regex that finds the line, and the longest constant text', () => {
    const lines = ['GET /stock/4711 (200) took 3ms', 'a "quoted" value. 12', '{"msg":"request 12 served"}'];
    for (const line of lines) expect(line).toMatch(new RegExp(patternOf(line).regex));
    expect(patternOf(lines[0] ?? '')).toMatchObject({
      regex: 'GET /stock/.+? \\(.+?\\) took ',
      text: 'GET /stock/',
    });
  });

  it('reads a hostile line in linear time', () => {
    const begin = performance.now();
    for (const line of ['"'.repeat(60_000), 'a'.repeat(60_000), `msg="${'\\"'.repeat(30_000)}`]) {
      patternOf(line);
    }
    expect(performance.now() - begin).toBeLessThan(300);
  });
});
