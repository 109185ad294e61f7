import { describe, expect, it } from '@jest/globals';
import type { SourceIdentity } from '../../drivers/log-store/index.js';
import { KnownProblems, type KnownProblem } from './known-problems.js';

const POD: SourceIdentity = {
  ...{ key: 'pod/docker/dev/1/api', kind: 'pod', runtime: 'docker', cluster: 'dev', namespace: 'shop' },
  ...{
    workload: 'Deployment/api',
    name: 'api-1',
    container: null,
    role: 'main',
    service: null,
    previous: null,
  },
};

function problem(message: string, more: Partial<KnownProblem> = {}): KnownProblem {
  return {
    ...{ runtime: 'docker', cluster: 'dev', namespace: 'shop', kind: 'Deployment', name: 'api', message },
    ...{ since: '2026-11-29T09:00:00Z', next_step: 'Read the log.', container: 'api' },
    found_in: { kind: 'Pod', namespace: 'shop', name: 'api-0' },
    ...more,
  };
}

describe('KnownProblems', () => {
  function causeOf(source: SourceIdentity, ...problems: KnownProblem[]): string | undefined {
    const known = new KnownProblems();
    known.shared = { list: () => problems };
    return known.of(source)?.message;
  }

  it('finds the problem of the Pod, then that of its workload', () => {
    const found = { kind: 'Pod', namespace: 'shop', name: 'api-1' };
    expect(causeOf(POD, problem('workload'))).toBe('workload');
    expect(causeOf(POD, problem('workload'), problem('found', { name: 'other', found_in: found }))).toBe(
      'found',
    );
    expect(causeOf({ ...POD, workload: null }, problem('own', { kind: 'Pod', name: 'api-1' }))).toBe('own');
  });

  it('finds none of another cluster, engine, namespace or workload, and none if the list is unknown', () => {
    const others = [{ cluster: 'prod' }, { runtime: 'podman' }, { namespace: 'web' }, { name: 'web' }];
    expect(others.map((more) => causeOf(POD, problem('other', more)))).toEqual(others.map(() => undefined));
    expect(new KnownProblems().of(POD)).toBeUndefined();
  });

  it('finds that of a node for its services', () => {
    const node: SourceIdentity = {
      ...POD,
      kind: 'node',
      namespace: null,
      workload: null,
      name: 'dev-worker',
    };
    const notReady = { kind: 'Node', namespace: null, name: 'dev-worker' };
    expect(causeOf(node, problem('not ready', { ...notReady, found_in: notReady }))).toBe('not ready');
  });
});
