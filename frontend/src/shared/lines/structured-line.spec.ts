import { describe, expect, it } from '@jest/globals';
import { structuredLine } from './structured-line';

describe('structuredLine', () => {
  it('reads JSON, without the time and the level that the row shows', () => {
    expect(
      structuredLine('{"ts":"2026","level":"info","msg":"request served","route":"/cart","took":{"ms":3}}'),
    ).toEqual({ message: 'request served', fields: ['route=/cart', 'took.ms=3'] });
  });

  it('shows names and values as filters by field take them', () => {
    const line = '{"level":"error","msg":"x","msg":"paid","id":9007199254740993,"a":{"b":1.0},"a.b":[1, 2]}';
    expect(structuredLine(line)).toEqual({
      message: 'paid',
      fields: ['id=9007199254740993', 'a.b=1.0', 'a.b=[1, 2]'],
    });
    expect(structuredLine("msg=ok event='user in'")?.fields).toEqual(['event="user in"']);
  });

  it('reads logfmt that has only pairs', () => {
    expect(
      structuredLine('time="2026-11-26T09:34" level=error msg="no \\"image\\"" error="not found"'),
    ).toEqual({
      message: 'no "image"',
      fields: ['error="not found"'],
    });
    expect(structuredLine('GET /orders status=200 msg=served')).toBeNull();
  });

  it('reads klog with and without a quoted message', () => {
    expect(
      structuredLine('I1126 09:34:17.653000     712 kubelet.go:2468] "SyncLoop" pod="shop/web"'),
    ).toEqual({
      message: 'SyncLoop',
      fields: ['pod=shop/web', 'kubelet.go:2468'],
    });
    expect(structuredLine('E1126 09:34:22.212000       1 leader.go:436] error retrieving: timeout')).toEqual({
      message: 'error retrieving: timeout',
      fields: ['leader.go:436'],
    });
  });

  it('leaves other lines, cut JSON, and lines without a message', () => {
    const others = [
      'plain text',
      '{"msg":"cut of',
      '{"status":200}',
      '[1]',
      '{',
      'a=1 b=2',
      '',
      '{"msg":""}',
    ];
    expect(others.map(structuredLine)).toEqual(others.map(() => null));
  });

  it('reads a hostile line in linear time', () => {
    const lines = [
      `{"msg":"x","a":${'['.repeat(1500)}${']'.repeat(1500)}}`,
      'a="'.repeat(1300),
      `msg="${'\\"'.repeat(1900)}`,
      'a='.repeat(2000),
    ];
    const begin = performance.now();
    for (const line of lines) structuredLine(line);
    expect(performance.now() - begin).toBeLessThan(200);
    expect(structuredLine(`{"msg":"x","a":"${'y'.repeat(3000)}"}`)?.fields[0]).toHaveLength(303);
  });
});
