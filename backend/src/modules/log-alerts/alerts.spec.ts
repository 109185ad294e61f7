import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database, migrations } from '../../core/storage/index.js';
import { AlertsBench, SOURCE, sourcesWith } from '../../../../test/support/logs/alerts-bench.js';
import { waitFor } from '../../../../test/support/wait-for.js';

describe('AlertsService', () => {
  let bench: AlertsBench;

  beforeEach(() => {
    bench = AlertsBench.open();
  });

  afterEach(() => bench.close());

  it('fires at the threshold: notifies pages and stores the firing with its line', async () => {
    const { id } = await bench.create({ name: 'Timeouts', query: { text: 'timeout' }, threshold: 3 });
    bench.engine.observe(SOURCE, [...bench.lines(2), ...bench.lines(5, 'fine')]);
    expect([(await bench.only(id)).state, (await bench.only(id)).count, bench.notified]).toEqual([
      'quiet',
      2,
      [],
    ]);
    bench.engine.observe(SOURCE, bench.lines(1));
    expect(bench.notified).toHaveLength(1);
    expect(await bench.alerts.firingsOf(id)).toEqual(bench.notified);
    expect(bench.notified[0]).toMatchObject({
      alert_id: id,
      name: 'Timeouts',
      time: '2026-11-22T08:00:00.000Z',
      count: 3,
      test: false,
      sample: { source: 17, seq: bench.seq, time: '2026-11-22T08:00:00.000003Z', text: 'upstream timeout' },
      webhook: { state: 'none', attempts: 0, status: null, error: null },
    });
    expect(await bench.only(id)).toMatchObject({
      state: 'firing',
      last_fired_at: '2026-11-22T08:00:00.000Z',
    });
    await bench.pass(61);
    expect((await bench.only(id)).state).toBe('quiet');
  });

  it('follows the renaming of a source', async () => {
    const { id } = await bench.create({ name: 'Shop', sources: { name: 'shop-*' }, threshold: 3 });
    bench.engine.observe(SOURCE, bench.lines(1));
    expect((await bench.only(id)).count).toBe(0);
    bench.engine.observe({ ...SOURCE, name: 'shop-web-1' }, bench.lines(2));
    expect((await bench.only(id)).count).toBe(2);
    bench.engine.observe({ ...SOURCE, name: 'web' }, bench.lines(1));
    expect((await bench.only(id)).count).toBe(2);
  });

  it('counts the alerts that fire now', async () => {
    await bench.create({ name: 'Any' });
    const often = await bench.create({ name: 'Often', threshold: 3, window_seconds: 600, browser: false });
    expect(bench.engine.firingNow).toBe(0);
    bench.engine.observe(SOURCE, bench.lines(2));
    expect(bench.engine.firingNow).toBe(1);
    bench.engine.observe(SOURCE, bench.lines(1));
    expect(bench.engine.firingNow).toBe(2);
    await bench.pass(61);
    expect(bench.engine.firingNow).toBe(1);
    await bench.alerts.remove(often.id);
    expect(bench.engine.firingNow).toBe(0);
  });

  it('reports whether the log store still has the line of a firing', async () => {
    const { id } = await bench.create({ name: 'Timeouts' });
    bench.engine.observe(SOURCE, bench.lines(1));
    const keys = async (): Promise<unknown[]> =>
      (await bench.alerts.firingsOf(id)).map(({ source_key, kept }) => [source_key, kept]);
    expect(await keys()).toEqual([[SOURCE.key, true]]);
    for (const known of [
      // Older lines were deleted; the id belongs to another source; the source was deleted.
      { ...SOURCE, firstSeq: bench.seq + 1 },
      { id: SOURCE.id, key: 'container/docker/2', firstSeq: 1 },
      { id: 18, key: SOURCE.key, firstSeq: 1 },
    ]) {
      bench.sources = sourcesWith(known);
      await bench.stop();
      bench.start();
      expect(await keys()).toEqual([[SOURCE.key, false]]);
    }
    // A firing of an earlier version has no key.
    bench.database.run('UPDATE alert_firings SET source_key = NULL');
    expect(await keys()).toEqual([[null, false]]);
    bench.sources = sourcesWith({ ...SOURCE, firstSeq: 1 });
    await bench.stop();
    bench.start();
    expect(await keys()).toEqual([[SOURCE.key, true]]);
  });

  it('does not notify pages with browser: false, and does not count while disabled', async () => {
    const silent = await bench.create({ name: 'Silent', browser: false });
    const off = await bench.create({ name: 'Off', enabled: false });
    bench.engine.observe(SOURCE, bench.lines(3));
    expect(bench.notified).toEqual([]);
    expect([
      (await bench.alerts.firingsOf(silent.id)).length,
      (await bench.alerts.firingsOf(off.id)).length,
    ]).toEqual([1, 0]);
  });

  it('keeps the last 100 firings, and deletes them with the alert', async () => {
    const { id } = await bench.create({ name: 'Often', quiet_seconds: 1 });
    for (let index = 0; index < 105; index += 1) {
      bench.engine.observe(SOURCE, bench.lines(1));
      await bench.pass(1);
    }
    const kept = await bench.alerts.firingsOf(id);
    expect([kept.length, kept[0]?.id, kept[99]?.id]).toEqual([
      100,
      bench.notified[104]?.id,
      bench.notified[5]?.id,
    ]);
    await bench.alerts.remove(id);
    expect(bench.database.all('SELECT id FROM alert_firings')).toEqual([]);
    await expect(bench.alerts.firingsOf(id)).rejects.toThrow('does not exist');
    bench.engine.observe(SOURCE, bench.lines(1));
    expect(bench.notified).toHaveLength(105);
  });

  it('does not read lines without alerts, and does not throw without a database', async () => {
    bench.engine.observe(SOURCE, new Proxy([], { get: () => expect('not read').toBe('') }));
    await bench.create({ name: 'Any' });
    bench.database.close();
    bench.engine.observe(SOURCE, bench.lines(1));
    expect(bench.notified).toEqual([]);
    bench.database = Database.open(join(bench.folder, 'other.db'), migrations);
  });

  it('disables an alert with catastrophic backtracking, with the reason, and no other', async () => {
    jest.useRealTimers();
    const good = await bench.create({ name: 'Good', query: { text: 'a{3}', regex: true } });
    const bad = await bench.create({ name: 'Bad', query: { text: '(a+)+$', regex: true } });
    bench.engine.observe(SOURCE, bench.lines(2, `${'a'.repeat(60)}!`));
    await waitFor(
      async () => !(await bench.only(bad.id)).enabled && bench.notified.length > 0,
      'both alerts',
      20_000,
    );
    expect(await bench.only(bad.id)).toMatchObject({
      enabled: false,
      problem: expect.stringContaining('took too long'),
    });
    expect(bench.notified.map(({ alert_id }) => alert_id)).toEqual([good.id]);
    expect(await bench.only(good.id)).toMatchObject({ enabled: true, problem: null, missed: 0 });
    const again = await bench.update(bad.id, { name: 'Bad', query: { text: 'b', regex: true } });
    expect(again).toMatchObject({ enabled: true, problem: null });
  });
});
