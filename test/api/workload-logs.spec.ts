import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PodLogEvent } from '../../backend/src/modules/pod-logs/pod-logs.dto.js';
import { createCluster } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

const PATH = '/api/v1/clusters/shop/pods/shop/logs';

describe('GET /clusters/:name/pods/:namespace/logs', () => {
  let app: TestApp;
  const leaving = new AbortController();

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'shop');
  });

  afterAll(async () => {
    leaving.abort();
    await app.stop();
  });

  /** The events so far; it grows. */
  async function follow(workload: string): Promise<PodLogEvent[]> {
    const answer = await fetch(`http://127.0.0.1:${app.port}${PATH}?workload=${workload}&tail=5`, {
      signal: leaving.signal,
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const events: PodLogEvent[] = [];
    const read = async (): Promise<void> => {
      let rest = '';
      for await (const chunk of answer.body ?? []) {
        const lines = (rest + Buffer.from(chunk).toString()).split('\n');
        rest = lines.pop() ?? '';
        events.push(...lines.map((line) => JSON.parse(line) as PodLogEvent));
      }
    };
    read().catch(() => undefined);
    return events;
  }

  const sources = (events: readonly PodLogEvent[]): Extract<PodLogEvent, { type: 'source' }>[] =>
    events.filter((event) => event.type === 'source');
  const writers = (events: readonly PodLogEvent[]): Set<number | undefined> =>
    new Set(events.flatMap((event) => (event.type === 'line' ? [event.source] : [])));

  it('merges the logs of all Pods of a Deployment, and follows a replacement of a deleted Pod', async () => {
    const events = await follow('Deployment/web');
    await waitFor(() => writers(events).size === 3, 'lines of three Pods');
    expect(events[0]).toEqual({ type: 'pods', count: 3, followed: 3 });
    expect(sources(events).map(({ container }) => container)).toEqual(['web', 'web', 'web']);
    const name = sources(events)[0]?.pod ?? '';
    await app.client.send('DELETE', `/api/v1/clusters/shop/resources/core/v1/pods/${name}?namespace=shop`);
    await waitFor(() => writers(events).size === 4, 'lines of the new Pod');
    expect(sources(events)).toContainEqual(expect.objectContaining({ pod: name, gone: true }));
  });

  it('finds the Pods of a ReplicaSet, and says why a container waits', async () => {
    const events = await follow('Deployment/reports');
    await waitFor(() => sources(events).some(({ waiting }) => /Pull/.test(waiting ?? '')), 'the reason');
    const [pod] = sources(events);
    const set = await follow(`ReplicaSet/${pod?.pod.replace(/-[^-]+$/, '') ?? ''}`);
    await waitFor(() => sources(set).length > 0, 'its Pod');
    expect(sources(set)[0]?.pod).toBe(pod?.pod);
  });

  it('merges the Pods of several workloads, such as the Jobs of a CronJob', async () => {
    const events = await follow('Deployment/web,Job/none,StatefulSet/postgres');
    await waitFor(() => writers(events).size > 3, 'lines of both');
    expect(new Set(sources(events).map(({ container }) => container))).toEqual(new Set(['web', 'postgres']));
  });

  it('finds the Pods of the Jobs of a CronJob by their owner, also of a run that starts meanwhile', async () => {
    const events = await follow('CronJob/nightly-totals');
    await waitFor(() => sources(events).length > 0, 'the Pod of the earlier run');
    const before = new Set(sources(events).map(({ pod }) => pod));
    const base = '/api/v1/clusters/shop/resources/batch/v1/';
    const cronJobs = await app.client.send('POST', `${base}cronjobs/nightly-totals/run?namespace=shop`);
    expect(cronJobs.status).toBeLessThan(300);
    await waitFor(() => sources(events).some(({ pod }) => !before.has(pod)), 'the Pod of the new run');
  });

  it('reports that a workload has no Pods', async () => {
    const events = await follow('Deployment/unknown');
    await waitFor(() => events.length > 0, 'an event');
    expect(events).toEqual([{ type: 'pods', count: 0, followed: 0 }]);
  });

  it.each([
    [`${PATH}?workload=web`, 400, 'invalid_input'],
    [`${PATH}?workload=Deployment/web,`, 400, 'invalid_input'],
    [`${PATH}?workload=Deployment/web&tail=1001`, 400, 'invalid_input'],
    ['/api/v1/clusters/none/pods/shop/logs?workload=Deployment/web', 404, 'cluster_not_found'],
  ])('rejects %s', async (path, status, code) => {
    const answer = await app.client.send('GET', path);
    expect([answer.status, answer.body]).toMatchObject([status, { code }]);
  });
});
