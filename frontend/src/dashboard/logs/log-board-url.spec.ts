import { describe, expect, it } from '@jest/globals';
import type { ResourceObjectDto } from '../../shared/api/api-types';
import { logBoardUrl, logsOfJob, logsOfObject } from './log-board-url';

const KEY = { runtime: 'docker', name: 'shop' };
const object = (group: string, kind: string, namespace: string | null): ResourceObjectDto =>
  ({ type: { group, kind }, namespace, name: 'api-1', owners: [] as unknown[] }) as ResourceObjectDto;

describe('the way to the logs', () => {
  it('names what is wanted, and nothing of it can be read as something else', () => {
    expect(logBoardUrl({ runtime: 'docker', cluster: 'a&b=c', pod: 'x' })).toBe(
      '/log-board?runtime=docker&cluster=a%26b%3Dc&pod=x',
    );
  });

  it('leads from pods, nodes and workloads', () => {
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
    // Somebody had it run by hand.
    ['batch', 'Job', 'nightly-20261123', 'CronJob', 'nightly', 'Job/nightly-20261123'],
    ['batch', 'Job', 'nightly-now', 'CronJob', 'nightly', 'Job/nightly-now'],
  ])(
    'leads from %s/%s %s to what its pods are gathered under',
    (group, kind, name, owner, ofName, workload) => {
      const owners = owner === null ? [] : [{ kind: owner, name: ofName, controller: true }];
      const found = { ...object(group, kind, 'eu'), name, owners } as ResourceObjectDto;
      expect(logsOfObject(KEY, found)?.workload).toBe(workload);
    },
  );

  it('leads from nothing that writes no log, nor from a kind of the same name', () => {
    expect(logsOfObject(KEY, object('core', 'ConfigMap', 'eu'))).toBeNull();
    expect(logsOfObject(KEY, object('example.org', 'Pod', 'eu'))).toBeNull();
    expect(logsOfObject(KEY, object('example.org', 'Job', 'eu'))).toBeNull();
  });

  it('leads from a job to what was written while it ran', () => {
    const job = { runtime: 'docker', cluster: 'shop', created_at: '2026-11-21T09:00:00.000Z' };
    const started_at = '2026-11-21T09:00:01.000Z';
    expect(logsOfJob({ ...job, started_at, finished_at: '2026-11-21T09:02:00.000Z' })).toEqual({
      runtime: 'docker',
      cluster: 'shop',
      from: started_at,
      to: '2026-11-21T09:02:05.000Z',
    });
    // One that was interrupted before it began.
    expect(logBoardUrl(logsOfJob({ ...job, started_at: null, finished_at: null }))).toBe(
      '/log-board?runtime=docker&cluster=shop&from=2026-11-21T09%3A00%3A00.000Z',
    );
  });
});
