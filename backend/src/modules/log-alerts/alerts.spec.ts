import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { readConfiguration } from '../../core/config/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { SealedSecretStore } from '../../core/secrets/index.js';
import { SecretBox } from '../../core/secrets/secret-box.js';
import { Database, DataDirectory, migrations } from '../../core/storage/index.js';
import { WebhookError } from '../../drivers/registry/index.js';
import { ScriptedSender } from '../../../../test/support/logs/scripted-sender.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import type { LogStoreAccess, SourceRegistry } from '../log-sources/index.js';
import type { LogLine } from '../../drivers/log-store/index.js';
import { AlertEngine } from './alert-engine.js';
import type { ObservedSource } from './alert-rule.js';
import { SaveAlertDto, type AlertDto, type AlertFiringDto } from './alert.dto.js';
import { AlertStore } from './alert.store.js';
import { AlertsService } from './alerts.service.js';
import { FiringStore } from './firing.store.js';
import { RegexCheck } from './regex-check.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { Webhooks } from './webhooks.js';

const NOW = Date.parse('2026-11-22T08:00:00Z');
const HOOK = 'https://chat.example.org/hooks/T0/secret-part';

const SOURCE: ObservedSource = {
  id: 17,
  key: 'container/docker/1',
  kind: 'container',
  runtime: 'docker',
  cluster: null,
  namespace: null,
  workload: null,
  name: 'web',
  container: null,
  role: null,
  service: null,
  previous: null,
};

let seq = 0;
function lines(count: number, text = 'upstream timeout'): LogLine[] {
  return Array.from({ length: count }, () => ({
    seq: (seq += 1),
    time: Date.now() * 1000 + 3,
    stream: 'stderr' as const,
    level: 'error' as const,
    text,
    cut: 0,
    continues: false,
  }));
}

/** A request as the validation pipe passes it on. */
function asked(request: object): SaveAlertDto {
  return plainToInstance(SaveAlertDto, request, { exposeDefaultValues: true });
}

/** A registry with one source, whose lines from `firstSeq` on are stored. */
function sourcesWith(known: { key: string; id: number; firstSeq: number }): SourceRegistry {
  return {
    find: (id: number) => (id === known.id ? { id, identity: { ...SOURCE, key: known.key } } : undefined),
    keeps: (id: number, line: number) => id === known.id && line >= known.firstSeq,
  } as unknown as SourceRegistry;
}

describe('AlertsService', () => {
  const opened = { get: () => Promise.resolve() } as unknown as LogStoreAccess;
  let sources: SourceRegistry;
  const configuration = readConfiguration({ APP_LOG_BOARD_PUBLIC_URL: 'https://logs.test' });
  const logger = AppLogger.create(configuration, { write: () => undefined });
  let folder: string;
  let database: Database;
  let secrets: SealedSecretStore;
  let sender: ScriptedSender;
  let firings: FiringStore;
  let engine: AlertEngine;
  let deliveries: WebhookDeliveries;
  let alerts: AlertsService;
  let notified: AlertFiringDto[];

  /** Creates all services on the same database, as a restart does. */
  function start(): void {
    const store = new AlertStore(database);
    const webhooks = new Webhooks(secrets);
    firings = new FiringStore(database);
    deliveries = new WebhookDeliveries(configuration, firings, webhooks, sender, logger);
    engine = new AlertEngine(store, firings, deliveries, logger);
    alerts = new AlertsService(
      store,
      firings,
      engine,
      webhooks,
      sender,
      deliveries,
      new RegexCheck(),
      opened,
      sources,
    );
    notified = [];
    engine.firings.subscribe((firing) => notified.push(firing));
    engine.onModuleInit();
    deliveries.onApplicationBootstrap();
  }

  async function stop(): Promise<void> {
    engine.beforeApplicationShutdown();
    await deliveries.beforeApplicationShutdown();
  }

  async function create(request: object): Promise<AlertDto> {
    return await alerts.create(asked(request));
  }

  async function update(id: number, request: object): Promise<AlertDto> {
    return await alerts.update(id, asked(request));
  }

  async function only(id: number): Promise<AlertDto> {
    const found = (await alerts.list()).find((alert) => alert.id === id);
    if (!found) throw new Error(`no alert ${id}`);
    return found;
  }

  async function pass(seconds: number): Promise<void> {
    await jest.advanceTimersByTimeAsync(seconds * 1000);
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-alerts-'));
    const own = readConfiguration({ APP_DATA_DIR: folder });
    const dataDirectory = DataDirectory.open(own);
    database = Database.open(dataDirectory.database, migrations);
    secrets = SealedSecretStore.open(database, new SecretBox('5a'.repeat(32)), {
      earlier: [],
      givesUp: false,
    });
    sender = new ScriptedSender();
    jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    sources = sourcesWith({ ...SOURCE, firstSeq: 1 });
    start();
  });

  afterEach(async () => {
    await stop();
    jest.useRealTimers();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('fires at the threshold: notifies pages and stores the firing with its line', async () => {
    const { id } = await create({ name: 'Timeouts', query: { text: 'timeout' }, threshold: 3 });
    engine.observe(SOURCE, [...lines(2), ...lines(5, 'fine')]);
    expect([(await only(id)).state, (await only(id)).count, notified]).toEqual(['quiet', 2, []]);
    engine.observe(SOURCE, lines(1));
    expect(notified).toHaveLength(1);
    expect(await alerts.firingsOf(id)).toEqual(notified);
    expect(notified[0]).toMatchObject({
      alert_id: id,
      name: 'Timeouts',
      time: '2026-11-22T08:00:00.000Z',
      count: 3,
      test: false,
      sample: { source: 17, seq, time: '2026-11-22T08:00:00.000003Z', text: 'upstream timeout' },
      webhook: { state: 'none', attempts: 0, status: null, error: null },
    });
    expect(await only(id)).toMatchObject({ state: 'firing', last_fired_at: '2026-11-22T08:00:00.000Z' });
    await pass(61);
    expect((await only(id)).state).toBe('quiet');
  });

  it('follows the renaming of a source', async () => {
    const { id } = await create({ name: 'Shop', sources: { name: 'shop-*' }, threshold: 3 });
    engine.observe(SOURCE, lines(1));
    expect((await only(id)).count).toBe(0);
    engine.observe({ ...SOURCE, name: 'shop-web-1' }, lines(2));
    expect((await only(id)).count).toBe(2);
    engine.observe({ ...SOURCE, name: 'web' }, lines(1));
    expect((await only(id)).count).toBe(2);
  });

  it('counts the alerts that fire now', async () => {
    await create({ name: 'Any' });
    const often = await create({ name: 'Often', threshold: 3, window_seconds: 600, browser: false });
    expect(engine.firingNow).toBe(0);
    engine.observe(SOURCE, lines(2));
    expect(engine.firingNow).toBe(1);
    engine.observe(SOURCE, lines(1));
    expect(engine.firingNow).toBe(2);
    await pass(61);
    expect(engine.firingNow).toBe(1);
    await alerts.remove(often.id);
    expect(engine.firingNow).toBe(0);
  });

  it('reports whether the log store still has the line of a firing', async () => {
    const { id } = await create({ name: 'Timeouts' });
    engine.observe(SOURCE, lines(1));
    const keys = async (): Promise<unknown[]> =>
      (await alerts.firingsOf(id)).map(({ source_key, kept }) => [source_key, kept]);
    expect(await keys()).toEqual([[SOURCE.key, true]]);
    for (const known of [
      // Older lines were deleted; the id belongs to another source; the source was deleted.
      { ...SOURCE, firstSeq: seq + 1 },
      { id: SOURCE.id, key: 'container/docker/2', firstSeq: 1 },
      { id: 18, key: SOURCE.key, firstSeq: 1 },
    ]) {
      sources = sourcesWith(known);
      await stop();
      start();
      expect(await keys()).toEqual([[SOURCE.key, false]]);
    }
    // A firing of an earlier version has no key.
    database.run('UPDATE alert_firings SET source_key = NULL');
    expect(await keys()).toEqual([[null, false]]);
    sources = sourcesWith({ ...SOURCE, firstSeq: 1 });
    await stop();
    start();
    expect(await keys()).toEqual([[SOURCE.key, true]]);
  });

  it('does not notify pages with browser: false, and does not count while disabled', async () => {
    const silent = await create({ name: 'Silent', browser: false });
    const off = await create({ name: 'Off', enabled: false });
    engine.observe(SOURCE, lines(3));
    expect(notified).toEqual([]);
    expect([(await alerts.firingsOf(silent.id)).length, (await alerts.firingsOf(off.id)).length]).toEqual([
      1, 0,
    ]);
  });

  it('keeps the last 100 firings, and deletes them with the alert', async () => {
    const { id } = await create({ name: 'Often', quiet_seconds: 1 });
    for (let index = 0; index < 105; index += 1) {
      engine.observe(SOURCE, lines(1));
      await pass(1);
    }
    const kept = await alerts.firingsOf(id);
    expect([kept.length, kept[0]?.id, kept[99]?.id]).toEqual([100, notified[104]?.id, notified[5]?.id]);
    await alerts.remove(id);
    expect(database.all('SELECT id FROM alert_firings')).toEqual([]);
    await expect(alerts.firingsOf(id)).rejects.toThrow('does not exist');
    engine.observe(SOURCE, lines(1));
    expect(notified).toHaveLength(105);
  });

  it('does not read lines without alerts, and does not throw without a database', async () => {
    engine.observe(SOURCE, new Proxy([], { get: () => expect('not read').toBe('') }));
    await create({ name: 'Any' });
    database.close();
    engine.observe(SOURCE, lines(1));
    expect(notified).toEqual([]);
    database = Database.open(join(folder, 'other.db'), migrations);
  });

  it('disables an alert with catastrophic backtracking, with the reason, and no other', async () => {
    jest.useRealTimers();
    const good = await create({ name: 'Good', query: { text: 'a{3}', regex: true } });
    // The check rejects this regex, so it is written to the database directly.
    const bad = await create({ name: 'Bad', query: { text: 'a', regex: true } });
    database.run(
      `UPDATE alerts SET query_json = json_set(query_json, '$.text', '(a+)+$') WHERE id = ?`,
      bad.id,
    );
    await stop();
    start();
    engine.observe(SOURCE, lines(2, `${'a'.repeat(60)}!`));
    await waitFor(async () => !(await only(bad.id)).enabled && notified.length > 0, 'both alerts', 20_000);
    expect(await only(bad.id)).toMatchObject({
      enabled: false,
      problem: expect.stringContaining('took too long'),
    });
    expect(notified.map(({ alert_id }) => alert_id)).toEqual([good.id]);
    expect(await only(good.id)).toMatchObject({ enabled: true, problem: null, missed: 0 });
    const again = await update(bad.id, { name: 'Bad', query: { text: 'b', regex: true } });
    expect(again).toMatchObject({ enabled: true, problem: null });
  });

  describe('with a webhook', () => {
    const hook = { url: HOOK, secret: 'shared secret' };

    it('sends the firing with a signature and a link', async () => {
      const { id } = await create({ name: 'Hooked', webhook: hook });
      sender.answers.push(204);
      engine.observe(SOURCE, lines(1));
      await pass(0);
      const [sent] = sender.sent;
      if (!sent) throw new Error('nothing was sent');
      expect(sent.url).toBe(HOOK);
      const signature = createHmac('sha256', hook.secret).update(sent.body).digest('hex');
      expect(sent.headers).toMatchObject({
        'x-slipway-signature': `sha256=${signature}`,
        'x-slipway-delivery': String(notified[0]?.id),
      });
      expect(JSON.parse(sent.body)).toMatchObject({
        alert_id: id,
        name: 'Hooked',
        count: 1,
        link: `https://logs.test/alerts?alert=${id}`,
        sample: { text: 'upstream timeout' },
      });
      expect((await alerts.firingsOf(id))[0]?.webhook).toEqual({
        state: 'delivered',
        attempts: 1,
        status: 204,
        error: null,
      });
    });

    it('retries a delivery with backoff, up to 8 attempts', async () => {
      const { id } = await create({ name: 'Hooked', webhook: hook });
      sender.answers.push(500, 302, new WebhookError('Could not reach chat.example.org: refused'));
      sender.answers.push(new Error(`fetch ${HOOK} failed`), 503, 503, 503, 429);
      engine.observe(SOURCE, lines(1));
      await pass(0);
      expect((await alerts.firingsOf(id))[0]?.webhook).toMatchObject({
        state: 'waiting',
        attempts: 1,
        status: 500,
        error: 'The webhook returned 500.',
      });
      await pass(1);
      expect((await alerts.firingsOf(id))[0]?.webhook.error).toContain('redirect');
      await pass(3);
      expect((await alerts.firingsOf(id))[0]?.webhook.error).toContain('Could not reach chat.example.org');
      await pass(7);
      expect((await alerts.firingsOf(id))[0]?.webhook.error).toBe('Could not send the message.');
      await pass(3600);
      expect((await alerts.firingsOf(id))[0]?.webhook).toMatchObject({
        state: 'failed',
        attempts: 8,
        status: 429,
      });
      const pauses = sender.sent.slice(1).map(({ at }, index) => at - (sender.sent[index]?.at ?? 0));
      for (const [index, wanted] of [1000, 2600, 6760, 17_576, 45_698, 118_814, 300_000].entries()) {
        expect(pauses[index]).toBeGreaterThanOrEqual(wanted);
        expect(pauses[index]).toBeLessThan(wanted + 100);
      }
    });

    it('continues deliveries after a restart', async () => {
      const { id } = await create({ name: 'Hooked', webhook: hook });
      sender.answers.push(500, 'never');
      engine.observe(SOURCE, lines(1));
      await pass(1.1);
      expect(sender.sent).toHaveLength(2);
      await stop();
      // An attempt that the shutdown interrupted does not count.
      expect(firings.list(id)[0]?.webhook).toMatchObject({ state: 'waiting', attempts: 1 });
      sender.answers.push(200);
      start();
      await pass(0);
      expect(firings.list(id)[0]?.webhook).toMatchObject({ state: 'delivered', attempts: 2, status: 200 });
    });

    it('times out an attempt after 10 s, without delaying others', async () => {
      const slow = await create({ name: 'Slow', webhook: hook });
      sender.answers.push('never', 200, 200);
      engine.observe(SOURCE, lines(1));
      await pass(0);
      const fast = await create({ name: 'Fast', webhook: hook });
      engine.observe(SOURCE, lines(1));
      await pass(0);
      expect((await alerts.firingsOf(fast.id))[0]?.webhook.state).toBe('delivered');
      expect((await alerts.firingsOf(slow.id))[0]?.webhook.attempts).toBe(0);
    });

    it('stores URL and secret encrypted, and returns no secret', async () => {
      const made = await create({ name: 'Hooked', webhook: hook });
      expect(made.webhook).toEqual({ url: HOOK, form: 'slipway', has_secret: true });
      const everything = ['alerts', 'alert_firings', 'sealed_secrets']
        .map((table) => JSON.stringify(database.all(`SELECT * FROM ${table}`)))
        .join();
      for (const secret of [hook.secret, 'secret-part']) expect(everything).not.toContain(secret);
      expect(JSON.stringify(await alerts.list())).not.toContain(hook.secret);
    });

    it('keeps the secret until it is removed, and the URL until the webhook is removed', async () => {
      const { id } = await create({ name: 'Hooked', webhook: hook });
      const kept = await update(id, { name: 'Hooked', webhook: { url: `${HOOK}2` } });
      expect(kept.webhook).toEqual({ url: `${HOOK}2`, form: 'slipway', has_secret: true });
      const bare = await update(id, { name: 'Hooked', webhook: { url: HOOK, secret: null } });
      expect(bare.webhook).toEqual({ url: HOOK, form: 'slipway', has_secret: false });
      sender.answers.push(500);
      engine.observe(SOURCE, lines(1));
      await pass(0);
      expect((await update(id, { name: 'Hooked' })).webhook).toBeNull();
      expect(database.all('SELECT name FROM sealed_secrets').map((row) => ({ ...(row as object) }))).toEqual([
        { name: 'key-check' },
      ]);
      const [removed] = await alerts.firingsOf(id);
      expect(removed?.webhook).toMatchObject({ state: 'failed', error: 'The webhook was removed.' });
      await pass(600);
      expect(sender.sent).toHaveLength(1);
    });

    it('makes one attempt for a test, and returns its result', async () => {
      const { id } = await create({ name: 'Hooked', enabled: false, webhook: hook });
      sender.answers.push(404, 200);
      const failed = await alerts.test(id);
      expect(failed).toMatchObject({ test: true, sample: null, webhook: { state: 'failed', status: 404 } });
      expect((await alerts.test(id)).webhook).toMatchObject({ state: 'delivered', attempts: 1, status: 200 });
      await pass(600);
      expect(sender.sent).toHaveLength(2);
      expect(notified.map(({ test }) => test)).toEqual([true, true]);
      expect(await only(id)).toMatchObject({ last_fired_at: null, state: 'quiet' });
    });
  });
});
