import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AlertDto, AlertFiringDto } from '../../backend/src/modules/log-alerts/alert.dto.js';
import type { ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import { AlertApiBench } from '../support/app/alert-api-bench.js';
import { EventSocket } from '../support/app/event-socket.js';
import { expectError, problemsOf } from '../support/app/error-response.js';
import { signIn } from '../support/app/signed-in.js';
import { startLogBoard } from '../support/app/start-app.js';

/** A response body is a plain object, not an instance of its DTO class. */
type Plain<TRecord> = Pick<TRecord, keyof TRecord>;

describe('/api/alerts', () => {
  let bench: AlertApiBench;

  beforeAll(async () => {
    bench = await AlertApiBench.open();
  });

  afterAll(() => bench.close());

  beforeEach(() => bench.forgetReceived());

  afterEach(() => bench.removeAlerts());

  it('requires a session', async () => {
    for (const path of ['/api/alerts', '/api/alerts/1/firings', '/api/saved-searches']) {
      expectError(await bench.board.client.send('GET', path), 401, 'unauthorized');
    }
  });

  describe('alerts', () => {
    it('creates an alert with defaults, updates it and deletes it', async () => {
      const alert = await bench.create<Plain<AlertDto>>('/api/alerts', { name: '  Anything  ' });
      expect(alert).toEqual({
        id: alert.id,
        name: 'Anything',
        enabled: true,
        query: {
          query: '',
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
      const changed = (await bench.send('PUT', `/api/alerts/${alert.id}`, change)).body;
      expect(changed).toEqual({
        ...alert,
        ...change,
        query: { query: '', case: false, without: [], ...change.query },
        sources: { cluster: 'payments-*', workload: 'payments-api' },
      });
      expect((await bench.send('GET', '/api/alerts')).body).toEqual([changed]);
      expect((await bench.send('DELETE', `/api/alerts/${alert.id}`)).body).toEqual({ id: alert.id });
      for (const [method, path] of [
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/test'],
        ['GET', '/firings'],
      ] as const) {
        const body = method === 'PUT' ? { name: 'x' } : undefined;
        const answer = await bench.send(method, `/api/alerts/${alert.id}${path}`, body);
        expectError(answer, 404, 'alert_not_found');
      }
      expectError(await bench.send('GET', '/api/alerts/none/firings'), 404, 'alert_not_found');
    });

    it('rejects invalid alerts with a problem for each field', async () => {
      const answer = await bench.send('POST', '/api/alerts', {
        name: 'a\u0007b',
        query: { text: '', without: ['a\nb'], level: ['loud'], field: ['status'], without_field: ['x'] },
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
      const invalid = { name: 'x', query: { text: '(a', regex: true } };
      expect(problemsOf(await bench.send('POST', '/api/alerts', invalid))['query.text']).toContain(
        'is not a valid regular',
      );
      for (const query of ['/(a/', '/a/ OR b', '-/a/', 'a'.repeat(2001)]) {
        const answer = await bench.send('POST', '/api/alerts', { name: 'x', query: { query } });
        expect(Object.keys(problemsOf(answer))).toEqual(['query.query']);
      }
      await bench.create('/api/alerts', { name: 'Taken' });
      expect(problemsOf(await bench.send('POST', '/api/alerts', { name: 'taken' }))['name']).toContain(
        'already exists',
      );
      for (const body of [
        { name: 'x', query: null },
        { name: 'x', query: [] },
        { name: 'x', sources: 'all' },
      ]) {
        expectError(await bench.send('POST', '/api/alerts', body), 400, 'invalid_input');
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
      const answer = await bench.send('POST', '/api/alerts', { name: 'x', webhook: { url } });
      expect(problemsOf(answer)['webhook.url']).toContain(problem);
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

    it('limits the number of alerts to 100', async () => {
      for (let count = 0; count < 100; count += 1) {
        await bench.create('/api/alerts', { name: `Alert ${count}` });
      }
      const answer = await bench.send('POST', '/api/alerts', { name: 'one more' });
      expect(problemsOf(answer)['name']).toContain('the maximum is 100 alerts');
    });
  });
});
