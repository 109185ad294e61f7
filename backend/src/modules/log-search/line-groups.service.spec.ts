import { describe, expect, it } from '@jest/globals';
import { identityOf, newLine, NO_LIMITS } from '../../../../test/support/logs/lines.js';
import { MemoryLogStore } from '../../../../test/support/logs/memory-log-store.js';
import { timeText } from '../../core/values/index.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import type { LogStoreAccess } from '../log-sources/index.js';
import { CURVE_PARTS, LinePatternsQueryDto } from './line-groups.dto.js';
import { LineGroupsService } from './line-groups.service.js';

const MINUTE_US = 60_000_000;
/** The lines are of the hour before it. */
const NOW = Date.now() * 1000;

describe('LineGroupsService', () => {
  function serviceOf(lines: readonly NewLogLine[]): LineGroupsService {
    const store = MemoryLogStore.open(NO_LIMITS);
    store.append(store.source(identityOf('cart')), [...lines]);
    return new LineGroupsService({ get: () => Promise.resolve(store) } as unknown as LogStoreAccess);
  }

  const asked = (more: Partial<LinePatternsQueryDto>): LinePatternsQueryDto =>
    Object.assign(new LinePatternsQueryDto(), more);
  const ago = (minutes: number): number => NOW - minutes * MINUTE_US;
  const signal = new AbortController().signal;

  it('lists the patterns of errors first, each with its curve', async () => {
    const service = serviceOf([
      newLine('took 3 ms', ago(49)),
      newLine('took 4 ms', ago(39)),
      newLine('order 7 failed', ago(1), { level: 'error' }),
    ]);
    const { patterns, from } = await service.patterns(asked({ from: timeText(ago(60)) }), signal);
    expect(from).toBe(timeText(ago(60)));
    expect(patterns.map(({ pattern, count }) => [pattern, count])).toEqual([
      ['order * failed', 1],
      ['took * ms', 2],
    ]);
    const curves = patterns.map(({ counts }) =>
      counts.flatMap((count, at) => (count > 0 ? [[at, count]] : [])),
    );
    const part = 60 / CURVE_PARTS;
    expect(curves).toEqual([
      [[CURVE_PARTS - 1, 1]],
      [
        [Math.floor(11 / part), 1],
        [Math.floor(21 / part), 1],
      ],
    ]);
  });

  it('lists frames of stack traces only if nothing else was found', async () => {
    const service = serviceOf([
      newLine('order 7 failed', ago(1), { level: 'error' }),
      newLine('\tat com.acme.Cart.pay(Cart.java:41)', ago(1), { level: 'error', continues: true }),
      newLine('Caused by: no card', ago(1), { level: 'error', continues: true }),
    ]);
    const all = await service.patterns(asked({ from: '1h' }), signal);
    expect(all.patterns.map(({ pattern }) => pattern).toSorted()).toEqual([
      'Caused by: no card',
      'order * failed',
    ]);
    expect(all).toMatchObject({ examined: 3, others: 0 });
    const frames = await service.patterns(asked({ from: '1h', query: 'Cart.java' }), signal);
    expect(frames).toMatchObject({ examined: 1, others: 0, patterns: [{ count: 1 }] });
  });

  it('lists only patterns that no earlier line has, however old', async () => {
    const many = Array.from({ length: 20_100 }, (_, index) => newLine(`took ${index} ms`, ago(40) + index));
    const service = serviceOf([
      newLine('pool 1 exhausted', ago(50)),
      newLine('error with level', ago(45)),
      ...many,
      newLine('took 3 ms', ago(5)),
      newLine('pool 2 exhausted', ago(4)),
      newLine('pool 2 exhausted by cart', ago(3)),
      newLine('pool 3 exhausted by cart', ago(2)),
    ]);
    const found = await service.patterns(asked({ new_since: '10m', from: '1h' }), signal);
    expect(found.patterns.map(({ pattern, count }) => [pattern, count])).toEqual([
      ['pool * exhausted by cart', 2],
    ]);
    expect(found).toMatchObject({ examined: 4, reason: 'complete', others: 0 });
    // Other lines are no earlier ones of a search.
    const searched = await service.patterns(asked({ new_since: '10m', query: 'by OR level' }), signal);
    expect(searched.patterns).toHaveLength(1);
    await expect(service.patterns(asked({ new_since: 'soon' }), signal)).rejects.toThrow('RFC 3339');
  });
});
