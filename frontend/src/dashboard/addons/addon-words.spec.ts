import { describe, expect, it } from '@jest/globals';
import type { AddonDto } from '../../shared/api/api-types';
import { isKiali, matching, missingFor, questionBeforeUninstall, versionText } from './addon-words';

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
    kubernetes: null,
    unfit: null,
    state: 'not_installed',
    installed_release: null,
    installed_namespace: null,
    installed_version: null,
    ...change,
  };
}

describe('the words of addons', () => {
  it('tell what an entry needs and the cluster has not', () => {
    const kiali = addon('kiali', { needs: ['istio', 'prometheus'] });
    const all = [kiali, addon('istio'), addon('prometheus', { state: 'deployed' })];
    expect(missingFor(kiali, all).map(({ name }) => name)).toEqual(['istio']);
  });

  it('find an entry by any of its words', () => {
    const all = [addon('traefik', { purpose: 'Leads requests from outside to services' }), addon('argo-cd')];
    expect(matching(all, 'requests TRAE').map(({ name }) => name)).toEqual(['traefik']);
    expect(matching(all, '')).toHaveLength(2);
  });

  it('warn of definitions that go with their objects', () => {
    const release = { name: 'cert-manager', release: 'cm', namespace: 'certs' };
    const of = (kind: string, kept = false): { kind: string; kept: boolean } => ({ kind, kept });
    const lost = of('CustomResourceDefinition');
    const kept = of('CustomResourceDefinition', true);
    const said = (...resources: { kind: string; kept: boolean }[]): string | undefined =>
      questionBeforeUninstall(release, resources).text[1];
    expect(said(lost, of('Deployment'), lost, kept)).toContain('2 definitions of kinds that are not kept');
    expect(said(kept, of('Deployment'))).toContain('Its definitions of kinds (1) stay');
    expect(said(of('Deployment'))).toContain('crds folder stay');
  });

  it('know Kiali by its entry and by its chart', () => {
    expect([isKiali({ chart: 'kiali-server' }), isKiali({ chart: 'x', addon: 'kiali' })]).toEqual([
      true,
      true,
    ]);
    expect(isKiali({ chart: 'traefik', addon: 'traefik' })).toBe(false);
  });

  it('put what is installed before the chart that installs it', () => {
    expect(versionText({ version: '41.3.0', app_version: 'v3.7.11' })).toBe('v3.7.11, chart 41.3.0');
    expect(versionText({ version: '41.3.0', app_version: null })).toBe('chart 41.3.0');
  });
});
