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
    ['report-29401-abcde', 'CronJob/report', 'CronJob/report,Job/report-29401'],
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
  ])('does not give %s of %s to %s', (pod, owner, workload) => {
    expect(belongs(pod, owner, workload)).toBe(false);
  });
});
