import { describe, expect, it } from '@jest/globals';
import { makeSource } from '../../shared/testing/make-source';
import { isOf } from './stored-source';

const key = { name: 'staging', runtime: 'demo' as const };

function belongs(pod: string, owner: string, workload: string): boolean {
  const near = { kind: 'pod' as const, runtime: 'demo', cluster: 'staging', namespace: 'shop' };
  return isOf(makeSource({ ...near, name: pod, workload: owner }), { key, namespace: 'shop', workload });
}

describe('isOf', () => {
  it.each([
    ['web-7d9f8b6c54-x2lqp', 'Deployment/web', 'Deployment/web'],
    ['web-7d9f8b6c54-x2lqp', 'Deployment/web', 'ReplicaSet/web-7d9f8b6c54'],
    ['report-29401-abcde', 'CronJob/report', 'CronJob/report'],
    ['report-29401000-abcde', 'Job/report-29401000', 'CronJob/report'],
    ['report-29401-3-abcde', 'CronJob/report', 'Job/report-29401'],
    ['backup-abcde', 'Job/backup', 'Job/backup'],
  ])('gives %s of %s to %s', (pod, owner, workload) => {
    expect(belongs(pod, owner, workload)).toBe(true);
  });

  it.each([
    ['backup-db-0', 'StatefulSet/backup-db', 'Job/backup'],
    ['backup-29401-abcde', 'CronJob/backup', 'Job/backup'],
    ['web-api-7d9f8b6c54-x2lqp', 'Deployment/web-api', 'ReplicaSet/web'],
    ['web-7d9f8b6c54-x2lqp', 'Deployment/web', 'ReplicaSet/web-5c6b7d8f9'],
    ['report-now-abcde', 'Job/report-now', 'CronJob/report'],
    ['report-db-29401000-abcde', 'Job/report-db-29401000', 'CronJob/report'],
  ])('does not give %s of %s to %s', (pod, owner, workload) => {
    expect(belongs(pod, owner, workload)).toBe(false);
  });

  it('gives Pods that the server has named to their workload', () => {
    const near = { kind: 'pod' as const, runtime: 'demo', cluster: 'staging', namespace: 'shop' };
    const source = makeSource({ ...near, name: 'report-now-abcde', workload: 'Job/report-now' });
    const address = { key, namespace: 'shop', workload: 'CronJob/report' };
    expect(isOf(source, address, new Set(['report-now-abcde']))).toBe(true);
    expect(isOf({ ...source, namespace: 'default' }, address, new Set(['report-now-abcde']))).toBe(false);
  });
});
