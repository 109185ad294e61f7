import { describe, expect, it } from '@jest/globals';
import { CHART_NAME, CHART_VERSION } from '../../../drivers/package-manager/index.js';
import { parseValues } from '../../../drivers/package-manager/values/index.js';
import { NAMESPACE_NAME, RELEASE_NAME } from '../common/addon.js';
import { preparedValues } from '../values/kiali-values.js';
import { CATALOG, findEntry, findEntryByChart, unsupportedReason } from './catalog.js';

describe('CATALOG', () => {
  it('contains the common addons', () => {
    expect(CATALOG.map(({ name }) => name)).toEqual(
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

  it.each(CATALOG)('contains a valid entry $name', (entry) => {
    expect(entry.chart).toMatch(CHART_NAME);
    expect(entry.version).toMatch(CHART_VERSION);
    expect(entry.release).toMatch(RELEASE_NAME);
    expect(entry.namespace).toMatch(NAMESPACE_NAME);
    expect(entry.source).toMatch(/^(https|oci):\/\/[^@?#]+$/);
    expect(() => parseValues(entry.values)).not.toThrow();
    expect(entry.purpose).toMatch(/\.$/);
    for (const need of entry.needs) expect(findEntry(need)).toBeDefined();
  });

  it('has unique names, titles and releases', () => {
    for (const key of ['name', 'title'] as const) {
      expect(new Set(CATALOG.map((entry) => entry[key])).size).toBe(CATALOG.length);
    }
    expect(new Set(CATALOG.map(({ namespace, release }) => `${namespace}/${release}`)).size).toBe(
      CATALOG.length,
    );
  });

  it('installs Kiali without a sign-in', () => {
    const { values = '' } = findEntry('kiali') ?? {};
    expect(parseValues(values)['auth']).toEqual({ strategy: 'anonymous' });
    expect(() => preparedValues(values, [[]], 'x')).not.toThrow();
  });

  it('finds an entry by its chart, except for the ambiguous chart name base', () => {
    expect(findEntryByChart('kiali-server')?.name).toBe('kiali');
    expect(findEntryByChart('base')).toBeUndefined();
  });

  it('reports clusters that are too old', () => {
    const argo = findEntry('argo-cd');
    if (!argo) throw new Error('the catalog has no Argo CD');
    expect(unsupportedReason(argo, 'v1.24.9')).toContain('1.25 or later');
    expect([unsupportedReason(argo, 'v1.25.0'), unsupportedReason(argo, null)]).toEqual([null, null]);
  });
});
