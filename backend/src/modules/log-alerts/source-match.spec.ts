import { describe, expect, it } from '@jest/globals';
import type { SourceIdentity } from '../../drivers/log-store/index.js';
import { matchesSource } from './source-match.js';

const POD: SourceIdentity = {
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

describe('matchesSource', () => {
  it.each([
    [{}, true],
    [{ runtime: 'docker', cluster: 'payments-dev', namespace: 'payments' }, true],
    [{ runtime: 'podman' }, false],
    [{ workload: 'Deployment/payments-api' }, true],
    [{ workload: 'payments-api' }, true],
    [{ workload: 'payments' }, false],
    [{ name: 'payments-api-*' }, true],
    [{ name: '*-x2lqp' }, true],
    [{ name: 'pay*api*x2*' }, true],
    [{ name: '*' }, true],
    [{ name: 'payments-api' }, false],
    [{ name: 'payments-api-7d9f8b6c54-x2lqp*x2lqp' }, false],
    [{ cluster: 'payments-*', namespace: 'shop' }, false],
  ])('%j: %s', (query, fits) => {
    expect(matchesSource(query, POD)).toBe(fits);
  });

  it('does not match sources without a requested field', () => {
    const plain = { ...POD, cluster: null, namespace: null, workload: null };
    expect(matchesSource({ cluster: '*' }, plain)).toBe(false);
    expect(matchesSource({ name: 'payments*' }, plain)).toBe(true);
  });

  it('matches many wildcards in linear time', () => {
    const name = 'a'.repeat(200);
    expect(matchesSource({ name: `${'*a'.repeat(100)}*b` }, { ...POD, name })).toBe(false);
  });
});
