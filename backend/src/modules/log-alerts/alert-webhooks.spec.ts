import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebhookError } from '../../drivers/registry/index.js';
import { AlertsBench, SOURCE } from '../../../../test/support/logs/alerts-bench.js';

const HOOK = 'https://chat.example.org/hooks/T0/secret-part';

describe('AlertsService with a webhook', () => {
  let bench: AlertsBench;

  beforeEach(() => {
    bench = AlertsBench.open();
  });

  afterEach(() => bench.close());

  const hook = { url: HOOK, secret: 'shared secret' };

  it('sends the firing with a signature and a link', async () => {
    const { id } = await bench.create({ name: 'Hooked', webhook: hook });
    bench.sender.responses.push(204);
    bench.engine.observe(SOURCE, bench.lines(1));
    await bench.pass(0);
    const [sent] = bench.sender.sent;
    if (!sent) throw new Error('nothing was sent');
    expect(sent.url).toBe(HOOK);
    const signature = createHmac('sha256', hook.secret).update(sent.body).digest('hex');
    expect(sent.headers).toMatchObject({
      'x-slipway-signature': `sha256=${signature}`,
      'x-slipway-delivery': String(bench.notified[0]?.id),
    });
    expect(JSON.parse(sent.body)).toMatchObject({
      alert_id: id,
      name: 'Hooked',
      count: 1,
      link: `https://logs.test/alerts?alert=${id}`,
      sample: { text: 'upstream timeout' },
    });
    expect((await bench.alerts.firingsOf(id))[0]?.webhook).toEqual({
      state: 'delivered',
      attempts: 1,
      status: 204,
      error: null,
    });
  });

  it('retries a delivery with backoff, up to 8 attempts', async () => {
    const { id } = await bench.create({ name: 'Hooked', webhook: hook });
    bench.sender.responses.push(500, 302, new WebhookError('Could not reach chat.example.org: refused'));
    bench.sender.responses.push(new Error(`fetch ${HOOK} failed`), 503, 503, 503, 429);
    bench.engine.observe(SOURCE, bench.lines(1));
    await bench.pass(0);
    expect((await bench.alerts.firingsOf(id))[0]?.webhook).toMatchObject({
      state: 'waiting',
      attempts: 1,
      status: 500,
      error: 'The webhook returned 500.',
    });
    await bench.pass(1);
    expect((await bench.alerts.firingsOf(id))[0]?.webhook.error).toContain('redirect');
    await bench.pass(3);
    expect((await bench.alerts.firingsOf(id))[0]?.webhook.error).toContain(
      'Could not reach chat.example.org',
    );
    await bench.pass(7);
    expect((await bench.alerts.firingsOf(id))[0]?.webhook.error).toBe('Could not send the message.');
    await bench.pass(3600);
    expect((await bench.alerts.firingsOf(id))[0]?.webhook).toMatchObject({
      state: 'failed',
      attempts: 8,
      status: 429,
    });
    const pauses = bench.sender.sent
      .slice(1)
      .map(({ at }, index) => at - (bench.sender.sent[index]?.at ?? 0));
    for (const [index, wanted] of [1000, 2600, 6760, 17_576, 45_698, 118_814, 300_000].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(wanted);
      expect(pauses[index]).toBeLessThan(wanted + 100);
    }
  });

  it('continues deliveries after a restart', async () => {
    const { id } = await bench.create({ name: 'Hooked', webhook: hook });
    bench.sender.responses.push(500, 'never');
    bench.engine.observe(SOURCE, bench.lines(1));
    await bench.pass(1.1);
    expect(bench.sender.sent).toHaveLength(2);
    await bench.stop();
    // An attempt that the shutdown interrupted does not count.
    expect(bench.firings.list(id)[0]?.webhook).toMatchObject({ state: 'waiting', attempts: 1 });
    bench.sender.responses.push(200);
    bench.start();
    await bench.pass(0);
    expect(bench.firings.list(id)[0]?.webhook).toMatchObject({
      state: 'delivered',
      attempts: 2,
      status: 200,
    });
  });

  it('times out an attempt after 10 s, without delaying others', async () => {
    const slow = await bench.create({ name: 'Slow', webhook: hook });
    bench.sender.responses.push('never', 200, 200);
    bench.engine.observe(SOURCE, bench.lines(1));
    await bench.pass(0);
    const fast = await bench.create({ name: 'Fast', webhook: hook });
    bench.engine.observe(SOURCE, bench.lines(1));
    await bench.pass(0);
    expect((await bench.alerts.firingsOf(fast.id))[0]?.webhook.state).toBe('delivered');
    expect((await bench.alerts.firingsOf(slow.id))[0]?.webhook.attempts).toBe(0);
  });

  it('stores URL and secret encrypted, and returns no secret', async () => {
    const made = await bench.create({ name: 'Hooked', webhook: hook });
    expect(made.webhook).toEqual({ url: HOOK, form: 'slipway', has_secret: true });
    const everything = ['alerts', 'alert_firings', 'sealed_secrets']
      .map((table) => JSON.stringify(bench.database.all(`SELECT * FROM ${table}`)))
      .join();
    for (const secret of [hook.secret, 'secret-part']) expect(everything).not.toContain(secret);
    expect(JSON.stringify(await bench.alerts.list())).not.toContain(hook.secret);
  });

  it('keeps the secret until it is removed, and the URL until the webhook is removed', async () => {
    const { id } = await bench.create({ name: 'Hooked', webhook: hook });
    const kept = await bench.update(id, { name: 'Hooked', webhook: { url: `${HOOK}2` } });
    expect(kept.webhook).toEqual({ url: `${HOOK}2`, form: 'slipway', has_secret: true });
    const bare = await bench.update(id, { name: 'Hooked', webhook: { url: HOOK, secret: null } });
    expect(bare.webhook).toEqual({ url: HOOK, form: 'slipway', has_secret: false });
    bench.sender.responses.push(500);
    bench.engine.observe(SOURCE, bench.lines(1));
    await bench.pass(0);
    expect((await bench.update(id, { name: 'Hooked' })).webhook).toBeNull();
    expect(
      bench.database.all('SELECT name FROM sealed_secrets').map((row) => ({ ...(row as object) })),
    ).toEqual([{ name: 'key-check' }]);
    const [removed] = await bench.alerts.firingsOf(id);
    expect(removed?.webhook).toMatchObject({ state: 'failed', error: 'The webhook was removed.' });
    await bench.pass(600);
    expect(bench.sender.sent).toHaveLength(1);
  });

  it('makes one attempt for a test, and returns its result', async () => {
    const { id } = await bench.create({ name: 'Hooked', enabled: false, webhook: hook });
    bench.sender.responses.push(404, 200);
    const failed = await bench.alerts.test(id);
    expect(failed).toMatchObject({ test: true, sample: null, webhook: { state: 'failed', status: 404 } });
    expect((await bench.alerts.test(id)).webhook).toMatchObject({
      state: 'delivered',
      attempts: 1,
      status: 200,
    });
    await bench.pass(600);
    expect(bench.sender.sent).toHaveLength(2);
    expect(bench.notified.map(({ test }) => test)).toEqual([true, true]);
    expect(await bench.only(id)).toMatchObject({ last_fired_at: null, state: 'quiet' });
  });
});
