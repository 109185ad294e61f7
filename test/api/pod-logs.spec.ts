import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ResponseLimits } from '../../backend/src/modules/log-lines/response-limits.js';
import type { PodContainersDto, PodLogEvent } from '../../backend/src/modules/pod-logs/pod-logs.dto.js';
import type { ResourceTableDto } from '../../backend/src/modules/resources/common/resource.dto.js';
import { createToken } from '../support/app/access-tokens.js';
import { createCluster, requestCluster } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

const NDJSON = { accept: 'application/x-ndjson' };
const TEXT = { accept: 'text/plain' };

describe('GET /clusters/:name/pods/:namespace/:pod/logs', () => {
  let app: TestApp;
  let pod: string;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'shop');
    const pods = '/api/v1/clusters/shop/resources/core/v1/pods?namespace=kube-system&search=coredns';
    const { rows } = await app.client.get<ResourceTableDto>(pods);
    pod = `/api/v1/clusters/shop/pods/kube-system/${rows[0]?.name ?? ''}`;
  });

  afterAll(() => app.stop());

  const events = (text: string): PodLogEvent[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as PodLogEvent);

  it('reads one log per container, which /containers lists', async () => {
    const { containers } = await app.client.get<PodContainersDto>(`${pod}/containers`);
    expect(containers).toMatchObject([{ name: 'coredns', role: 'main', running: true, waiting: null }]);
  });

  it('returns the requested number of newest lines, with time and level', async () => {
    const { text, headers } = await app.client.send('GET', `${pod}/logs?container=coredns&tail=2`, {
      headers: NDJSON,
    });
    expect(headers['content-type']).toBe('application/x-ndjson');
    expect(events(text)).toEqual([
      { type: 'line', line: expect.objectContaining({ text: expect.stringMatching(/./), cut: 0 }) },
      { type: 'line', line: expect.objectContaining({ time: expect.stringMatching(/^\d{4}-.*Z$/) }) },
      { type: 'end' },
    ]);
  });

  it('returns text with Accept: text/plain', async () => {
    const { text, headers } = await app.client.send('GET', `${pod}/logs?container=coredns&tail=2`, {
      headers: TEXT,
    });
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.trimEnd().split('\n')).toHaveLength(2);
    expect(text).not.toContain('"type"');
  });

  it('reports the number of omitted older lines', async () => {
    const bounds = app.nest.get(ResponseLimits);
    const { pageBytes } = bounds;
    Object.assign(bounds, { pageBytes: 1 });
    const json = await app.client.send('GET', `${pod}/logs?container=coredns&tail=2`, { headers: NDJSON });
    const plain = await app.client.send('GET', `${pod}/logs?container=coredns&tail=2`, { headers: TEXT });
    Object.assign(bounds, { pageBytes });
    expect(events(json.text)).toEqual([
      { type: 'left_out', lines: 1 },
      { type: 'line', line: expect.objectContaining({ text: expect.stringMatching(/./) }) },
      { type: 'end' },
    ]);
    const [note, line, end] = plain.text.split('\n');
    expect(note).toBe('[Slipway] This log is incomplete. Omitted older lines: 1');
    expect([line === '', end]).toEqual([false, '']);
  });

  it('follows with ?follow=true until the client disconnects', async () => {
    const leaving = new AbortController();
    const answer = await fetch(
      `http://127.0.0.1:${app.port}${pod}/logs?container=coredns&tail=0&follow=true`,
      { headers: NDJSON, signal: leaving.signal },
    );
    expect(answer.status).toBe(200);
    let text = '';
    const reading = (async (): Promise<void> => {
      for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
    })();
    await waitFor(() => text.includes('"line"'), 'a line');
    expect(text).not.toContain('"end"');
    leaving.abort();
    await expect(reading).rejects.toThrow(/abort/);
  });

  it('ends when the access token of the client is revoked', async () => {
    const { id, bearer } = await createToken(app, { scope: 'read' });
    const answer = await fetch(
      `http://127.0.0.1:${app.port}${pod}/logs?container=coredns&tail=0&follow=true`,
      { headers: { ...NDJSON, ...bearer } },
    );
    expect(answer.status).toBe(200);
    const reading = answer.text();
    await app.client.send('DELETE', `/api/auth/tokens/${id}`);
    await expect(reading).rejects.toThrow(/terminated/);
  });

  const expectError = async (path: string, status: number, code: string): Promise<void> => {
    const answer = await app.client.send('GET', path, { headers: NDJSON });
    // A log that takes long to open, as on a busy machine, reports its error in the stream.
    if (code === 'log_unreadable' && answer.status === 200) {
      expect(JSON.parse(answer.text)).toMatchObject({ type: 'error', code });
    } else expect([answer.status, answer.body]).toMatchObject([status, { code }]);
  };

  it.each([
    ['without a container', 'logs', 400, 'invalid_input'],
    ['for a name that no container can have', 'logs?container=a%20b', 400, 'invalid_input'],
    ['for too many lines', 'logs?container=coredns&tail=10001', 400, 'invalid_input'],
    ['of another container', 'logs?container=unknown', 409, 'log_unreadable'],
    ['of an instance that never was', 'logs?container=coredns&previous=true', 409, 'log_unreadable'],
  ])('is rejected %s', async (_, path, status, code) => {
    await expectError(`${pod}/${path}`, status, code);
  });

  it('rejects unknown pods, invalid names, and stopped clusters', async () => {
    const expectFor = (path: string, status: number, code: string): Promise<void> =>
      expectError(`/api/v1/clusters/${path}`, status, code);
    await expectFor('shop/pods/default/unknown/logs?container=web', 409, 'log_unreadable');
    await expectFor('shop/pods/default/unknown/containers', 404, 'resource_not_found');
    await expectFor('shop/pods/De_fault/x/logs?container=web', 404, 'resource_not_found');
    await expectFor('shop/pods/default/%2e%2e/logs?container=web', 404, 'resource_not_found');
    await expectFor('nowhere/pods/default/x/logs?container=web', 404, 'cluster_not_found');
    await requestCluster(app.client, 'young');
    await expectFor('young/pods/default/x/logs?container=web', 409, 'cluster_state');
  });

  it('limits open logs with 429, and accepts the next client when one disconnects', async () => {
    const leaving = new AbortController();
    const address = `http://127.0.0.1:${app.port}${pod}/logs?container=coredns&tail=1&follow=true`;
    const open = (): Promise<Response> => fetch(address, { headers: NDJSON, signal: leaving.signal });
    const answers = await Promise.all(Array.from({ length: 64 }, open));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await app.client.send('GET', `${pod}/logs?container=coredns&tail=1`);
    expect([refused.status, refused.body]).toMatchObject([429, { code: 'too_many_requests' }]);
    leaving.abort();
    await waitFor(
      async () => (await app.client.send('GET', `${pod}/logs?container=coredns&tail=1`)).status === 200,
      'a free slot',
    );
  });
});
