import { describe, expect, it } from '@jest/globals';
import type { ResourceTypeDto } from '../../shared/api/api-types';
import { forwardObject, portsOf, suggestedLocalPort } from './target-ports';

const type = (plural: string): ResourceTypeDto => ({ plural }) as ResourceTypeDto;

describe('portsOf', () => {
  it('lists the ports of a Service', () => {
    const ports = [
      { name: 'web', port: 80, targetPort: 'http' },
      { port: 53, protocol: 'UDP' },
    ];
    expect(portsOf({ type: type('services'), spec: { ports } })).toEqual([
      { name: 'web', number: 80, protocol: 'TCP' },
      { name: '', number: 53, protocol: 'UDP' },
    ]);
  });

  it('lists each port of all containers of a workload once', () => {
    const containers = [
      { ports: [{ name: 'http', containerPort: 80 }] },
      { ports: [{ containerPort: 80 }] },
      {},
    ];
    expect(portsOf({ type: type('deployments'), spec: { template: { spec: { containers } } } })).toEqual([
      { name: 'http', number: 80, protocol: 'TCP' },
    ]);
  });
});

describe('forwardObject', () => {
  it('is null for kinds without Pods and kinds of other groups with the same name', () => {
    const name = { namespace: 'shop', name: 'web' };
    expect(forwardObject({ group: 'apps', plural: 'deployments', ...name })).toMatchObject({ object: 'web' });
    expect(forwardObject({ group: 'core', plural: 'configmaps', ...name })).toBeNull();
    expect(forwardObject({ group: 'serving.knative.dev', plural: 'services', ...name })).toBeNull();
  });
});

describe('suggestedLocalPort', () => {
  it('needs no privileges', () => {
    expect([80, 443, 5432].map(suggestedLocalPort)).toEqual([8080, 8443, 5432]);
  });
});
