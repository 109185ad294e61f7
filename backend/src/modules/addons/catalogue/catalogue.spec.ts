import { describe, expect, it } from '@jest/globals';
import { parseValues } from '../../../drivers/package-manager/values/index.js';
import { CHART_NAME, CHART_VERSION, NAMESPACE_NAME, RELEASE_NAME, RESERVED_RELEASES } from '../addon.js';
import { anonymousKiali } from '../values/kiali-values.js';
import { CATALOGUE, entryOf, entryOfChart, unfitFor } from './catalogue.js';

describe('the catalogue', () => {
  it('has what a cluster is given first', () => {
    expect(CATALOGUE.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'metrics-server',
        'traefik',
        'cert-manager',
        'kube-prometheus-stack',
        'istio-base',
        'istiod',
        'kiali',
        'argo-cd',
        'metallb',
      ]),
    );
  });

  it.each(CATALOGUE)('describes $name so that it can be installed as it stands', (entry) => {
    expect(entry.chart).toMatch(CHART_NAME);
    expect(entry.version).toMatch(CHART_VERSION);
    expect(entry.release).toMatch(RELEASE_NAME);
    expect(entry.namespace).toMatch(NAMESPACE_NAME);
    expect(RESERVED_RELEASES).not.toContain(entry.release);
    const place = 'reference' in entry.source ? entry.source.reference : entry.source.repository;
    expect(place).toMatch(/^(https|oci):\/\/[^@?#]+$/);
    expect(() => parseValues(entry.values)).not.toThrow();
    expect(entry.purpose).toMatch(/\.$/);
    for (const need of entry.needs) expect(entryOf(need)).toBeDefined();
  });

  it('names each entry and each release once', () => {
    for (const key of ['name', 'title'] as const) {
      expect(new Set(CATALOGUE.map((entry) => entry[key])).size).toBe(CATALOGUE.length);
    }
    expect(new Set(CATALOGUE.map(({ namespace, release }) => `${namespace}/${release}`)).size).toBe(
      CATALOGUE.length,
    );
  });

  it('gives Kiali values that open it without a sign-in', () => {
    const { values = '' } = entryOf('kiali') ?? {};
    expect(parseValues(values)['auth']).toEqual({ strategy: 'anonymous' });
    expect(() => anonymousKiali(parseValues(values), [], 'x', values)).not.toThrow();
  });

  it('knows an entry by its chart, but for a name that many charts have', () => {
    expect(entryOfChart('kiali-server')?.name).toBe('kiali');
    expect(entryOfChart('base')).toBeUndefined();
  });

  it('says which clusters are too old', () => {
    const argo = entryOf('argo-cd');
    if (!argo) throw new Error('the catalogue has no Argo CD');
    expect(unfitFor(argo, 'v1.24.9')).toContain('1.25 or newer');
    expect([unfitFor(argo, 'v1.25.0'), unfitFor(argo, null)]).toEqual([null, null]);
  });
});
