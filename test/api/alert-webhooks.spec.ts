import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AlertDto, AlertFiringDto } from '../../backend/src/modules/log-alerts/alert.dto.js';
import { AlertApiBench, line } from '../support/app/alert-api-bench.js';
import { signIn } from '../support/app/signed-in.js';
import { startLogBoard } from '../support/app/start-app.js';
import { WebhookReceiver } from '../support/app/webhook-receiver.js';
import { waitFor } from '../support/wait-for.js';

describe('the webhook of an alert', () => {
  let bench: AlertApiBench;

  beforeAll(async () => {
    bench = await AlertApiBench.open();
  });

  afterAll(() => bench.close());

  beforeEach(() => bench.forgetReceived());

  afterEach(() => bench.removeAlerts());

  it('fires on live lines, and sends a signed webhook', async () => {
    const secret = 'shared secret';
    const alert = await bench.create<AlertDto>('/api/alerts', {
      name: 'Payments time out',
      query: { text: 'time ?out', regex: true, without: ['health'], level: ['error'] },
      sources: { cluster: 'payments-dev', workload: 'payments-api' },
      threshold: 2,
      webhook: { url: bench.receiver.url('/hook?room=1'), secret },
    });
    expect(alert.webhook).toEqual({
      url: bench.receiver.url('/hook?room=1'),
      form: 'slipway',
      has_secret: true,
    });
    bench.receiver.responses.push({ status: 500 });
    bench.observe(line('fine'), line('health timeout'), line('time out', 'info'), line('Timeout 1'));
    bench.observe(line('upstream timeout 2'), line('fine'));
    await waitFor(
      async () => (await bench.firingsOf(alert.id))[0]?.webhook.state === 'delivered',
      'the second delivery attempt',
    );
    const [firing] = await bench.firingsOf(alert.id);
    expect(firing).toMatchObject({
      alert_id: alert.id,
      name: 'Payments time out',
      count: 2,
      test: false,
      sample: { source: 17, level: 'error', text: 'upstream timeout 2' },
      webhook: { state: 'delivered', attempts: 2, status: 204, error: null },
    });
    expect(bench.receiver.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /hook?room=1',
      'POST /hook?room=1',
    ]);
    const [, second] = bench.receiver.received;
    if (!second) throw new Error('there was no second attempt');
    const { headers, body } = second;
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['x-slipway-signature']).toBe(
      `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    );
    expect(JSON.parse(body)).toMatchObject({
      id: firing?.id,
      name: 'Payments time out',
      sample: { text: 'upstream timeout 2' },
      link: `http://logs.test:0/alerts?alert=${alert.id}`,
    });
    const listed = (await bench.send('GET', '/api/alerts')).text;
    expect(listed).toContain('"state":"firing"');
    expect(listed).not.toContain(secret);
    expect(bench.board.log()).not.toContain(secret);
  });

  it('continues deliveries after a restart', async () => {
    const alert = await bench.create<AlertDto>('/api/alerts', {
      name: 'x',
      webhook: { url: bench.receiver.url() },
    });
    bench.receiver.responses.push({ status: 503 });
    bench.observe(line('boom'));
    await waitFor(
      async () => (await bench.firingsOf(alert.id))[0]?.webhook.attempts === 1,
      'the first attempt',
    );
    await bench.board.stop();
    await bench.start();
    await waitFor(
      async () => (await bench.firingsOf(alert.id))[0]?.webhook.state === 'delivered',
      'the second',
    );
    expect(bench.receiver.received).toHaveLength(2);
  });

  it('sends a test at once and returns its result', async () => {
    const { id } = await bench.create<AlertDto>('/api/alerts', {
      name: 'x',
      webhook: { url: bench.receiver.url() },
    });
    const test = async (): Promise<AlertFiringDto> =>
      (await bench.send('POST', `/api/alerts/${id}/test`)).body as AlertFiringDto;
    expect(await test()).toMatchObject({ test: true, webhook: { state: 'delivered', status: 204 } });
    expect(bench.receiver.received[0]?.headers['x-slipway-signature']).toBeUndefined();
    bench.receiver.responses.push({ status: 302, headers: { location: bench.receiver.url('/elsewhere') } });
    expect((await test()).webhook).toEqual({
      state: 'failed',
      attempts: 1,
      status: 302,
      error: 'The webhook returned 302, a redirect, which Slipway does not follow.',
    });
    expect(bench.receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook']);
    expect(await bench.firingsOf(id)).toHaveLength(2);
    const plain = await bench.create<AlertDto>('/api/alerts', { name: 'y' });
    const answer = await bench.send('POST', `/api/alerts/${plain.id}/test`);
    expect((answer.body as AlertFiringDto).webhook.state).toBe('none');
  });

  it.each([
    ['slack', { text: expect.stringContaining('a &amp;&amp; b') }],
    ['discord', { content: expect.stringContaining('a && b'), allowed_mentions: { parse: [] } }],
    ['teams', expect.objectContaining({ type: 'message', attachments: [expect.anything()] })],
    ['ntfy', '1 line matched.\na && b'],
  ])('sends a signed chat message in the format %s', async (form, message) => {
    const hook = { url: bench.receiver.url(), form, secret: 'shared secret' };
    const { webhook } = await bench.create<AlertDto>('/api/alerts', { name: 'Übel', webhook: hook });
    expect(webhook).toEqual({ url: hook.url, form, has_secret: true });
    bench.observe(line('a && b'));
    await waitFor(() => bench.receiver.received.length > 0, 'the message');
    const [sent] = bench.receiver.received;
    if (!sent) throw new Error('nothing was received');
    const { headers, body } = sent;
    expect(form === 'ntfy' ? body : JSON.parse(body)).toEqual(message);
    const signature = createHmac('sha256', hook.secret).update(body).digest('hex');
    expect(headers['x-slipway-signature']).toBe(`sha256=${signature}`);
  });

  it('reports why a webhook is unreachable, without its URL', async () => {
    const closed = await WebhookReceiver.start();
    await closed.stop();
    const other = await startLogBoard({ environment: { APP_WEBHOOK_HOSTS: `127.0.0.1:${closed.port}` } });
    const { bearer: headers } = await signIn(other);
    const { body } = await other.client.send('POST', '/api/alerts', {
      headers,
      body: { name: 'x', webhook: { url: closed.url('/hooks/T0/a-secret-part') } },
    });
    const path = `/api/alerts/${(body as AlertDto).id}/test`;
    const { webhook } = (await other.client.send('POST', path, { headers })).body as AlertFiringDto;
    expect(webhook).toMatchObject({ state: 'failed', status: null });
    expect(webhook.error).toMatch(`Could not reach 127.0.0.1:${closed.port}: `);
    expect(webhook.error).toContain('ECONNREFUSED');
    expect(other.log()).toContain('Could not deliver');
    expect(other.log()).not.toContain('a-secret-part');
    await other.stop();
  });
});
