import { describe, expect, it } from '@jest/globals';
import type { AddonDto } from '../../shared/api/api-types';
import {
  filterAddons,
  isKiali,
  missingFor,
  releaseState,
  uninstallQuestion,
  versionText,
} from './addon-labels';

function addon(name: string, change: Partial<AddonDto> = {}): AddonDto {
  return {
    name,
    title: name,
    purpose: '',
    category: 'networking',
    source: '',
    chart: name,
    version: '1.0.0',
    app_version: null,
    namespace: name,
    release: name,
    values: '',
    notes: [],
    needs: [],
    page: false,
    kubernetes: null,
    unfit: null,
    state: 'not_installed',
    installed_release: null,
    installed_namespace: null,
    installed_version: null,
    ...change,
  };
}

describe('addon labels', () => {
  it.each([
    ['deployed', 'failed', 'failed'],
    ['deployed', 'warning', 'warning'],
    ['deployed', 'progressing', 'creating'],
    ['deployed', 'ended', 'running'],
    ['deployed', 'none', 'running'],
    ['upgrading', 'failed', 'creating'],
    ['failed', 'ok', 'failed'],
  ] as const)('show a release that is %s and whose worst resource is %s as %s', (state, health, shown) => {
    expect(releaseState({ state, health })).toBe(shown);
  });

  it('lists the prerequisites of an addon that are not installed', () => {
    const kiali = addon('kiali', { needs: ['istio', 'prometheus'] });
    const all = [kiali, addon('istio'), addon('prometheus', { state: 'deployed' })];
    expect(missingFor(kiali, all).map(({ name }) => name)).toEqual(['istio']);
  });

  it('filters addons by all words, in any order', () => {
    const all = [addon('traefik', { purpose: 'Routes requests from outside to services' }), addon('argo-cd')];
    expect(filterAddons(all, 'requests TRAE').map(({ name }) => name)).toEqual(['traefik']);
    expect(filterAddons(all, '')).toHaveLength(2);
  });

  it('warns that uninstalling deletes CRDs and their custom resources', () => {
    const release = { name: 'cert-manager', release: 'cm', namespace: 'certs' };
    const of = (kind: string, kept = false): { kind: string; kept: boolean } => ({ kind, kept });
    const deleted = of('CustomResourceDefinition');
    const kept = of('CustomResourceDefinition', true);
    const warning = (...resources: { kind: string; kept: boolean }[]): string | undefined =>
      uninstallQuestion(release, resources).text[1];
    expect(warning(deleted, of('Deployment'), deleted, kept)).toContain('deletes 2 CRDs');
    expect(warning(kept, of('Deployment'))).toContain('keeps its 1 CRD');
    expect(warning(of('Deployment'))).toContain('Helm keeps CRDs from the crds folder');
    const { text } = uninstallQuestion(release, [of('Deployment')], ['hulls.yard.test']);
    expect(text.slice(1)).toEqual(['These CRDs stay, because helm does not remove CRDs: hulls.yard.test.']);
  });

  it('recognizes Kiali by its catalog name and by its chart', () => {
    expect([isKiali({ chart: 'kiali-server' }), isKiali({ chart: 'x', addon: 'kiali' })]).toEqual([
      true,
      true,
    ]);
    expect(isKiali({ chart: 'traefik', addon: 'traefik' })).toBe(false);
  });

  it('shows the app version before the chart version', () => {
    expect(versionText({ version: '41.3.0', app_version: 'v3.7.11' })).toBe('v3.7.11, chart 41.3.0');
    expect(versionText({ version: '41.3.0', app_version: null })).toBe('chart 41.3.0');
    expect(versionText({ version: '1.30.4', app_version: 'v1.30.4' })).toBe('v1.30.4');
  });
});
