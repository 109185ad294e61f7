import { Injector, runInInjectionContext, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from '@jest/globals';
import { ClustersStore } from '../../shared/live/clusters-store';
import type { ClusterDto, ExternalDto } from '../../shared/api/api-types';
import { provideApi } from '../../shared/testing/fake-api';
import { aCluster, anExternalCluster } from '../../shared/testing/records';
import { type Rights, rightsIn } from './kind-rights';

const PODS = { group: 'core', plural: 'pods' };
const SECRETS = { group: 'core', plural: 'secrets' };
const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update'];

/** Forbidden verbs, by namespace. */
type Denials = Readonly<Record<string, { pods: string[]; secrets: string[] }>>;

async function rightsOf(
  cluster: ClusterDto,
  denials: Denials,
  namespaces?: (string | null)[],
): Promise<{ rights: Rights; asked: (string | undefined)[] }> {
  const asked: (string | undefined)[] = [];
  TestBed.configureTestingModule({
    providers: [
      { provide: ClustersStore, useValue: { find: () => cluster } },
      provideApi({
        'GET /api/v1/clusters/{name}/resources': ({ namespace = '' }) => {
          asked.push(namespace);
          const found = denials[namespace];
          if (!found) throw new Error('unreachable');
          return [
            { ...PODS, verbs: VERBS, forbidden: found.pods },
            { ...SECRETS, verbs: VERBS, forbidden: found.secrets },
            {
              group: 'authorization.k8s.io',
              plural: 'subjectaccessreviews',
              verbs: ['create'],
              forbidden: [],
            },
          ];
        },
      }),
    ],
  });
  const key = signal({ name: cluster.name, runtime: cluster.runtime });
  const rights = runInInjectionContext(TestBed.inject(Injector), () =>
    rightsIn(() => ({ key: key(), ...(namespaces && { namespaces }) })),
  );
  TestBed.tick();
  await new Promise((resolve) => setTimeout(resolve));
  return { rights, asked };
}

function external(change: Partial<ExternalDto> = {}): ClusterDto {
  return anExternalCluster({ namespace: 'shop', ...change }, { state: 'running' });
}

describe('rightsIn', () => {
  it('says which verb is missing, and which kinds cannot be listed', async () => {
    const denials = { shop: { pods: ['delete', 'patch'], secrets: ['list'] } };
    const { rights, asked } = await rightsOf(external(), denials);
    expect(asked).toEqual(['shop']);
    expect(rights.denied(PODS, ['delete'])).toBe('You may not delete pods in namespace shop');
    expect(rights.denied(SECRETS, ['delete'])).toBeNull();
    expect(rights.unlisted(SECRETS)).toBe('ada may not list secrets here');
    expect(rights.unlisted(PODS)).toBeNull();
    // Update is allowed.
    expect(rights.deniedAction('undo', PODS)).toBeNull();
  });

  it('says which verb of a subresource or of another kind an action needs', async () => {
    const pods = [
      'get exec',
      'get portforward',
      'create portforward',
      'patch ephemeralcontainers',
      'get log',
    ];
    const { rights } = await rightsOf(external(), { shop: { pods, secrets: ['patch scale'] } });
    const why = (what: string): string => `You may not ${what} in namespace shop`;
    expect(rights.deniedAction('shell', PODS)).toBe(why('get pods/exec'));
    expect(rights.deniedAction('files', PODS)).toBe(why('get pods/exec'));
    expect(rights.deniedAction('debug', PODS)).toBe(why('patch pods/ephemeralcontainers'));
    expect(rights.deniedAction('forward', SECRETS)).toBe(why('get pods/portforward'));
    expect(rights.deniedAction('logs', SECRETS)).toBe(why('get pods/log'));
    expect(rights.deniedAction('scale', SECRETS)).toBe(why('patch secrets/scale'));
    expect(rights.deniedAction('scale', PODS)).toBeNull();
    expect(rights.deniedAction('restart', PODS)).toBeNull();
  });

  it.each([
    ['v1.34.4', null],
    [null, null],
    ['v1.35.0-gke.1', 'create'],
    ['v1.40.2', 'create'],
  ])(
    'needs create of pods/exec and pods/portforward in a cluster of version %s: %s',
    async (version, verb) => {
      const cluster = { ...external(), kubernetes_version: version };
      const pods = ['create exec', 'create portforward'];
      const { rights } = await rightsOf(cluster, { shop: { pods, secrets: [] } });
      const why = (what: string): string | null =>
        verb && `You may not ${verb} pods/${what} in namespace shop`;
      for (const action of ['shell', 'files', 'debug'] as const) {
        expect(rights.deniedAction(action, PODS)).toBe(why('exec'));
      }
      expect(rights.deniedAction('forward', PODS)).toBe(why('portforward'));
    },
  );

  it('deletes a Pod to restart it, and changes a workload', async () => {
    const { rights } = await rightsOf(external(), {
      shop: { pods: ['delete'], secrets: ['delete', 'patch'] },
    });
    expect(rights.deniedAction('restart', PODS)).toBe('You may not delete pods in namespace shop');
    expect(rights.deniedAction('restart', SECRETS)).toBeNull();
  });

  it('names the namespaces, or the cluster for what has no namespace', async () => {
    const denials = { shop: { pods: ['delete'], secrets: [] }, web: { pods: ['delete'], secrets: [] } };
    const whyIn = async (...namespaces: (string | null)[]): Promise<string | null> => {
      TestBed.resetTestingModule();
      return (await rightsOf(external(), denials, namespaces)).rights.denied(PODS, ['delete']);
    };
    expect(await whyIn('shop', 'web')).toBe('You may not delete pods in the namespaces shop and web');
    expect(await whyIn(null)).toBe('You may not delete pods in this cluster');
  });

  it('judges a drain by the right to change the Node, since its Pods are in any namespace', async () => {
    const { rights } = await rightsOf(external(), {
      shop: { pods: ['create eviction'], secrets: ['patch', 'update'] },
    });
    expect(rights.deniedAction('drain', PODS)).toBeNull();
    expect(rights.deniedAction('drain', SECRETS)).not.toBeNull();
  });

  it('denies a kind only if it is forbidden in each namespace', async () => {
    const denials = {
      shop: { pods: ['delete'], secrets: ['delete'] },
      web: { pods: ['delete'], secrets: [] },
    };
    const { rights } = await rightsOf(external({ namespaces: ['web'] }), denials);
    expect(rights.denied(PODS, ['delete'])).not.toBeNull();
    expect(rights.denied(SECRETS, ['delete'])).toBeNull();
  });

  it('denies all kinds at once, without those that cannot be listed by anybody', async () => {
    const denials = { shop: { pods: ['create', 'patch'], secrets: ['create', 'patch'] } };
    const { rights } = await rightsOf(external(), denials);
    expect(rights.denied(null, ['create', 'patch'])).toBe('You may not create objects in namespace shop');
  });

  it.each([
    ['a failed request', external(), ['away']],
    ['more namespaces than are read', external(), ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a cluster of kind', aCluster(), ['shop']],
    ['an unreachable cluster', anExternalCluster({}, { state: 'unknown' }), ['shop']],
  ])('denies nothing of %s', async (_case, cluster, namespaces) => {
    const { rights } = await rightsOf(cluster, { shop: { pods: ['delete'], secrets: [] } }, namespaces);
    expect(rights.denied(PODS, ['delete'])).toBeNull();
    expect(rights.denied(null, ['delete'])).toBeNull();
  });
});
