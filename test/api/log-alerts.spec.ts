import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AlertEngine } from '../../backend/src/modules/log-alerts/alert-engine.js';
import type { ObservedSource } from '../../backend/src/modules/log-alerts/alert-rule.js';
import type { AlertDto, AlertFiringDto } from '../../backend/src/modules/log-alerts/alert.dto.js';
import type { LogLine } from '../../backend/src/drivers/log-store/index.js';
import type { ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { EventSocket } from '../support/app/event-socket.js';
import { expectError, problemsOf } from '../support/app/error-answer.js';
import { signIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { WebhookReceiver } from '../support/app/webhook-receiver.js';
import { waitFor } from '../support/wait-for.js';

const SOURCE: ObservedSource = {
  id: 17,
  key: 'pod/docker/payments-dev/1/api',
  kind: 'pod',
  runtime: 'docker',
  cluster: 'payments-dev',
  namespace: 'payments',
  workload: 'Deployment/payments-api',
  name: 'payments-api-7d9f8b6c54-x2lqp',
  container: 'api',
  role: 'main',
  service: null,
  previous: null,
};

let seq = 0;
function line(text: string, level: LogLine['level'] = 'error'): LogLine {
  seq += 1;
  return { seq, time: Date.now() * 1000, stream: 'stderr', level, text, cut: 0, continues: false };
}

/** A response body is a plain object, not an instance of its DTO class. */
type Plain<TRecord> = Pick<TRecord, keyof TRecord>;

describe('/api/alerts', () => {
  let folder: string;
  let receiver: WebhookReceiver;
  let board: TestApp;
  let bearer: { authorization: string };

  async function send(method: string, path: string, body?: object): Promise<ApiResponse> {
    return await board.client.send(method, path, { headers: bearer, ...(body ? { body } : {}) });
  }

  async function create<TRecord>(path: string, body: object): Promise<TRecord> {
    const answer = await send('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path} returned ${answer.status}: ${answer.text}`);
    return answer.body as TRecord;
  }

  async function firingsOf(id: number): Promise<AlertFiringDto[]> {
    return (await send('GET', `/api/alerts/${id}/firings`)).body as AlertFiringDto[];
  }

  async function start(): Promise<void> {
    const environment = {
      APP_WEBHOOK_HOSTS: `127.0.0.1:${receiver.port}`,
      APP_ALLOWED_HOSTS: 'logs.test',
    };
    board = await startLogBoard({ environment, dataDirectory: folder });
    ({ bearer } = await signIn(board));
  }

  function observe(...lines: LogLine[]): void {
    board.nest.get(AlertEngine, { strict: false }).observe(SOURCE, lines);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-alerts-'));
    receiver = await WebhookReceiver.start();
    await start();
  });

  afterAll(async () => {
    await board.stop();
    await receiver.stop();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(() => {
    receiver.received.length = 0;
    receiver.answers.length = 0;
  });

  afterEach(async () => {
    for (const { id } of (await send('GET', '/api/alerts')).body as { id: number }[]) {
      expect((await send('DELETE', `/api/alerts/${id}`)).body).toEqual({ id });
    }
  });

  it('requires a session', async () => {
    for (const path of ['/api/alerts', '/api/alerts/1/firings', '/api/saved-searches']) {
      expectError(await board.client.send('GET', path), 401, 'unauthorized');
    }
  });

  describe('alerts', () => {
    it('creates an alert with defaults, updates it and deletes it', async () => {
      const alert = await create<Plain<AlertDto>>('/api/alerts', { name: '  Anything  ' });
      expect(alert).toEqual({
        id: alert.id,
        name: 'Anything',
        enabled: true,
        query: {
          text: null,
          regex: false,
          case: false,
          without: [],
          level: [],
          field: [],
          without_field: [],
        },
        sources: {},
        threshold: 1,
        window_seconds: 60,
        quiet_seconds: 300,
        webhook: null,
        browser: true,
        last_fired_at: null,
        state: 'quiet',
        count: 0,
        missed: 0,
        problem: null,
        created_at: alert.created_at,
      });
      const change = {
        name: 'Payments time out',
        enabled: false,
        query: {
          text: 'time ?out',
          regex: true,
          level: ['warn', 'none'],
          field: ['status:504'],
          without_field: ['method:GET'],
        },
        sources: { cluster: 'payments-*', workload: 'payments-api', name: '' },
        threshold: 10,
        window_seconds: 5,
        quiet_seconds: 1,
        browser: false,
      };
      const changed = (await send('PUT', `/api/alerts/${alert.id}`, change)).body;
      expect(changed).toEqual({
        ...alert,
        ...change,
        query: { case: false, without: [], ...change.query },
        sources: { cluster: 'payments-*', workload: 'payments-api' },
      });
      expect((await send('GET', '/api/alerts')).body).toEqual([changed]);
      expect((await send('DELETE', `/api/alerts/${alert.id}`)).body).toEqual({ id: alert.id });
      for (const [method, path] of [
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/test'],
        ['GET', '/firings'],
      ] as const) {
        const body = method === 'PUT' ? { name: 'x' } : undefined;
        const answer = await send(method, `/api/alerts/${alert.id}${path}`, body);
        expectError(answer, 404, 'alert_not_found');
      }
      expectError(await send('GET', '/api/alerts/none/firings'), 404, 'alert_not_found');
    });

    it('rejects invalid alerts with a problem for each field', async () => {
      const answer = await send('POST', '/api/alerts', {
        name: 'a\u0007b',
        query: { text: '', without: ['a\nb'], level: ['loud'], field: ['status'], without_field: [':x'] },
        sources: { cluster: '\u202e' },
        threshold: 0,
        window_seconds: 86_401,
        quiet_seconds: 1.5,
        webhook: { url: 'https://chat.example.org/', form: 'irc', secret: 'short' },
        browser: 'yes',
        colour: 'red',
      });
      expect(Object.keys(problemsOf(answer)).sort()).toEqual([
        'browser',
        'colour',
        'name',
        'query.field',
        'query.level',
        'query.text',
        'query.without',
        'query.without_field',
        'quiet_seconds',
        'sources.cluster',
        'threshold',
        'webhook.form',
        'webhook.secret',
        'window_seconds',
      ]);
      const slow = { name: 'x', query: { text: '(a+)+$', regex: true } };
      expect(problemsOf(await send('POST', '/api/alerts', slow))['query.text']).toContain('far too long');
      const invalid = { name: 'x', query: { text: '(a', regex: true } };
      expect(problemsOf(await send('POST', '/api/alerts', invalid))['query.text']).toContain(
        'is not a valid regular',
      );
      await create('/api/alerts', { name: 'Taken' });
      expect(problemsOf(await send('POST', '/api/alerts', { name: 'taken' }))['name']).toContain(
        'already exists',
      );
      for (const body of [
        { name: 'x', query: null },
        { name: 'x', query: [] },
        { name: 'x', sources: 'all' },
      ]) {
        expectError(await send('POST', '/api/alerts', body), 400, 'invalid_input');
      }
    });

    it.each([
      ['http://127.0.0.1:1/hook', 'must start with https://'],
      ['https://127.0.0.1:1/hook', 'APP_WEBHOOK_HOSTS'],
      ['https://localhost/hook', 'APP_WEBHOOK_HOSTS'],
      ['https://[::1]/hook', 'APP_WEBHOOK_HOSTS'],
      ['https://169.254.169.254/latest', 'APP_WEBHOOK_HOSTS'],
      ['https://2130706433/hook', 'APP_WEBHOOK_HOSTS'],
      ['http://198.51.100.7/hook', 'must start with https://'],
      ['https://me:secret@198.51.100.7/hook', 'a user name or password'],
      ['file:///etc/passwd', 'must be'],
      ['oci://198.51.100.7/hook', 'must start with https://'],
      ['javascript:alert(1)', 'must be'],
      ['hook', 'must be a URL'],
    ])('rejects the webhook URL %s', async (url, problem) => {
      const answer = await send('POST', '/api/alerts', { name: 'x', webhook: { url } });
      expect(problemsOf(answer)['webhook.url']).toContain(problem);
    });

    it('fires on live lines, and sends a signed webhook', async () => {
      const secret = 'shared secret';
      const alert = await create<AlertDto>('/api/alerts', {
        name: 'Payments time out',
        query: { text: 'time ?out', regex: true, without: ['health'], level: ['error'] },
        sources: { cluster: 'payments-dev', workload: 'payments-api' },
        threshold: 2,
        webhook: { url: receiver.url('/hook?room=1'), secret },
      });
      expect(alert.webhook).toEqual({ url: receiver.url('/hook?room=1'), form: 'slipway', has_secret: true });
      receiver.answers.push({ status: 500 });
      observe(line('fine'), line('health timeout'), line('time out', 'info'), line('Timeout 1'));
      observe(line('upstream timeout 2'), line('fine'));
      await waitFor(
        async () => (await firingsOf(alert.id))[0]?.webhook.state === 'delivered',
        'the second delivery attempt',
      );
      const [firing] = await firingsOf(alert.id);
      expect(firing).toMatchObject({
        alert_id: alert.id,
        name: 'Payments time out',
        count: 2,
        test: false,
        sample: { source: 17, level: 'error', text: 'upstream timeout 2' },
        webhook: { state: 'delivered', attempts: 2, status: 204, error: null },
      });
      expect(receiver.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
        'POST /hook?room=1',
        'POST /hook?room=1',
      ]);
      const [, second] = receiver.received;
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
      const listed = (await send('GET', '/api/alerts')).text;
      expect(listed).toContain('"state":"firing"');
      expect(listed).not.toContain(secret);
      expect(board.log()).not.toContain(secret);
    });

    it('notifies open pages of firings on lines that were just read', async () => {
      const demo = await startLogBoard({ environment: { APP_LOG_INTAKE: 'on', APP_DEMO_SPEED: '20' } });
      const { bearer: headers, token } = await signIn(demo);
      const socket = await EventSocket.open<ServerMessage>(demo.port, {}, `/ws?token=${token}`);
      await socket.next('hello');
      const body = { name: 'Checkpoints', query: { text: 'checkpoint' }, sources: { name: 'postgres' } };
      expect((await demo.client.send('POST', '/api/alerts', { headers, body })).status).toBe(201);
      const { alert } = await socket.next('alert');
      expect(alert).toMatchObject({ name: 'Checkpoints', count: 1, test: false, kept: true });
      expect(alert.sample?.text).toContain('checkpoint');

      // Connected clients and new ones get the number of firing alerts.
      await socket.next('alerts_firing', ({ count }) => count === 1);
      const later = await EventSocket.open<ServerMessage>(demo.port, {}, `/ws?token=${token}`);
      await later.next('alerts_firing', ({ count }) => count === 1);

      // The firing identifies its line until that is deleted.
      const firing = async (): Promise<AlertFiringDto | undefined> => {
        const answer = await demo.client.send('GET', `/api/alerts/${alert.alert_id}/firings`, { headers });
        return (answer.body as AlertFiringDto[]).at(-1);
      };
      const { source = 0, seq: number = 0, text } = alert.sample ?? {};
      expect(await firing()).toMatchObject({ source_key: alert.source_key, kept: true });
      const found = await demo.client.send('GET', `/api/sources/${source}/lines/${number}`, { headers });
      expect(found.body).toMatchObject({ source, seq: number, text });
      const sources = (await demo.client.send('GET', '/api/sources', { headers })).body as LogSourceDto[];
      expect(sources.find(({ id }) => id === source)?.key).toBe(alert.source_key);
      const gone = await demo.client.send('DELETE', `/api/sources/${source}/history`, { headers });
      expect(gone.status).toBe(200);
      expect(await firing()).toMatchObject({ source_key: alert.source_key, kept: false, sample: { text } });

      await demo.client.send('DELETE', `/api/alerts/${alert.alert_id}`, { headers });
      await socket.next('alerts_firing', ({ count }) => count === 0);
      await later.next('alerts_firing', ({ count }) => count === 0);
      later.close();
      socket.close();
      await demo.stop();
    });

    it('continues deliveries after a restart', async () => {
      const alert = await create<AlertDto>('/api/alerts', { name: 'x', webhook: { url: receiver.url() } });
      receiver.answers.push({ status: 503 });
      observe(line('boom'));
      await waitFor(async () => (await firingsOf(alert.id))[0]?.webhook.attempts === 1, 'the first attempt');
      await board.stop();
      await start();
      await waitFor(async () => (await firingsOf(alert.id))[0]?.webhook.state === 'delivered', 'the second');
      expect(receiver.received).toHaveLength(2);
    });

    it('sends a test at once and returns its result', async () => {
      const { id } = await create<AlertDto>('/api/alerts', { name: 'x', webhook: { url: receiver.url() } });
      const test = async (): Promise<AlertFiringDto> =>
        (await send('POST', `/api/alerts/${id}/test`)).body as AlertFiringDto;
      expect(await test()).toMatchObject({ test: true, webhook: { state: 'delivered', status: 204 } });
      expect(receiver.received[0]?.headers['x-slipway-signature']).toBeUndefined();
      receiver.answers.push({ status: 302, headers: { location: receiver.url('/elsewhere') } });
      expect((await test()).webhook).toEqual({
        state: 'failed',
        attempts: 1,
        status: 302,
        error: 'The webhook returned 302, a redirect, which Slipway does not follow.',
      });
      expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook']);
      expect(await firingsOf(id)).toHaveLength(2);
      const plain = await create<AlertDto>('/api/alerts', { name: 'y' });
      const answer = await send('POST', `/api/alerts/${plain.id}/test`);
      expect((answer.body as AlertFiringDto).webhook.state).toBe('none');
    });

    it.each([
      ['slack', { text: expect.stringContaining('a &amp;&amp; b') }],
      ['discord', { content: expect.stringContaining('a && b'), allowed_mentions: { parse: [] } }],
      ['teams', expect.objectContaining({ type: 'message', attachments: [expect.anything()] })],
      ['ntfy', '1 line matched.\na && b'],
    ])('sends a signed chat message in the format %s', async (form, message) => {
      const hook = { url: receiver.url(), form, secret: 'shared secret' };
      const { webhook } = await create<AlertDto>('/api/alerts', { name: 'Übel', webhook: hook });
      expect(webhook).toEqual({ url: hook.url, form, has_secret: true });
      observe(line('a && b'));
      await waitFor(() => receiver.received.length > 0, 'the message');
      const [sent] = receiver.received;
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

    it('limits the number of alerts to 100', async () => {
      for (let count = 0; count < 100; count += 1) await create('/api/alerts', { name: `Alert ${count}` });
      const answer = await send('POST', '/api/alerts', { name: 'one more' });
      expect(problemsOf(answer)['name']).toContain('the maximum is 100 alerts');
    });
  });
});
