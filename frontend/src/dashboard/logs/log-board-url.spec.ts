import { describe, expect, it } from '@jest/globals';
import type { ResourceObjectDto } from '../../shared/api/api-types';
import { logBoardUrl, logsOfJob, logsOfObject } from './log-board-url';

const KEY = { runtime: 'docker', name: 'shop' };
const object = (group: string, kind: string, namespace: string | null): ResourceObjectDto =>
  ({ type: { group, kind }, namespace, name: 'api-1', owners: [] as unknown[] }) as ResourceObjectDto;

describe('logBoardUrl', () => {
  it('encodes the filter as query parameters', () => {
    expect(logBoardUrl({ runtime: 'docker', cluster: 'a&b=c', pod: 'x' })).toBe(
      '/log-board?runtime=docker&cluster=a%26b%3Dc&pod=x',
    );
  });

  it('filters by Pod, node or workload', () => {
    expect(logsOfObject(KEY, object('core', 'Pod', 'eu'))).toEqual({
      runtime: 'docker',
      cluster: 'shop',
      namespace: 'eu',
      pod: 'api-1',
    });
    expect(logsOfObject(KEY, object('core', 'Node', null))).toEqual({
      runtime: 'docker',
      cluster: 'shop',
      node: 'api-1',
    });
    expect(logsOfObject(KEY, object('apps', 'Deployment', 'eu'))?.workload).toBe('Deployment/api-1');
  });

  it.each([
    ['apps', 'ReplicaSet', 'web-6d4cf56db6', 'Deployment', 'web', 'Deployment/web'],
    ['apps', 'ReplicaSet', 'bare', null, '', 'ReplicaSet/bare'],
    ['batch', 'CronJob', 'nightly', null, '', 'CronJob/nightly'],
    ['batch', 'Job', 'nightly-29392140', 'CronJob', 'nightly', 'CronJob/nightly'],
    // Started manually.
    ['batch', 'Job', 'nightly-20261123', 'CronJob', 'nightly', 'Job/nightly-20261123'],
    ['batch', 'Job', 'nightly-now', 'CronJob', 'nightly', 'Job/nightly-now'],
  ])(
    'filters %s/%s %s by the workload that groups its Pods',
    (group, kind, name, owner, ofName, workload) => {
      const owners = owner === null ? [] : [{ kind: owner, name: ofName, controller: true }];
      const found = { ...object(group, kind, 'eu'), name, owners } as ResourceObjectDto;
      expect(logsOfObject(KEY, found)?.workload).toBe(workload);
    },
  );

  it('returns null for kinds without logs and for custom kinds of the same name', () => {
    expect(logsOfObject(KEY, object('core', 'ConfigMap', 'eu'))).toBeNull();
    expect(logsOfObject(KEY, object('example.org', 'Pod', 'eu'))).toBeNull();
    expect(logsOfObject(KEY, object('example.org', 'Job', 'eu'))).toBeNull();
  });

  it('limits the logs of a job to its time range', () => {
    const job = { runtime: 'docker', cluster: 'shop', created_at: '2026-11-21T09:00:00.000Z' };
    const started_at = '2026-11-21T09:00:01.000Z';
    expect(logsOfJob({ ...job, started_at, finished_at: '2026-11-21T09:02:00.000Z' })).toEqual({
      runtime: 'docker',
      cluster: 'shop',
      from: started_at,
      to: '2026-11-21T09:02:05.000Z',
    });
    // Interrupted before it started.
    expect(logBoardUrl(logsOfJob({ ...job, started_at: null, finished_at: null }))).toBe(
      '/log-board?runtime=docker&cluster=shop&from=2026-11-21T09%3A00%3A00.000Z',
    );
  });
});
