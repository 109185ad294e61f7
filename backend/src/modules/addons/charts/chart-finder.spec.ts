import { describe, expect, it } from '@jest/globals';
import { strictFake } from '../../../../../test/support/strict-fake.js';
import { PackageManager } from '../../../drivers/package-manager/index.js';
import { UPLOADED } from '../common/addon.js';
import { ChartFinder } from './chart-finder.js';
import { RepositoriesService } from './repositories.service.js';
import { UploadedCharts } from './uploaded-charts.js';

const REPOSITORY = { name: 'acme', url: 'https://charts.acme.example', username: null, created_at: '' };

describe('ChartFinder.newerThan', () => {
  const finder = new ChartFinder(
    strictFake(RepositoriesService, {
      list: () => [REPOSITORY],
      open: () => Promise.resolve(REPOSITORY),
    }),
    strictFake(UploadedCharts, { newerThan: (_name, version) => Promise.resolve(`${version}.1`) }),
  );
  const versions = ['1.10.0', '2.0.0-rc.1', '1.9.0'].map((version) => ({ version, appVersion: null }));
  const manager = strictFake(PackageManager, {
    offered: () => Promise.resolve([{ name: 'shop', description: '', versions }]),
  });

  it('knows versions of a repository once its charts were listed', async () => {
    const origin = { source: 'acme', chart: 'shop' };
    expect(await finder.newerThan('1.9.0', origin)).toBeNull();
    await finder.list(manager, 'acme');
    expect(await finder.newerThan('1.9.0', origin)).toBe('1.10.0');
    expect(await finder.newerThan('1.10.0', origin)).toBeNull();
    expect(await finder.newerThan('2.0.0-rc.0', origin)).toBe('2.0.0-rc.1');
    expect(await finder.newerThan('1.9.0', { source: 'acme', chart: 'other' })).toBeNull();
    expect(await finder.newerThan('1.9.0', { source: 'removed', chart: 'shop' })).toBeNull();
  });

  it('does not offer an older version of the catalog', async () => {
    const origin = { source: 'catalogue', chart: 'metrics-server' };
    expect(await finder.newerThan('0.0.1', origin)).toMatch(/^\d/);
    expect(await finder.newerThan('999.0.0', origin)).toBeNull();
    expect(await finder.newerThan('1.0.0', { source: 'catalogue', chart: 'removed' })).toBeNull();
    expect(await finder.newerThan('0.1', { source: UPLOADED, chart: 'shop' })).toBe('0.1.1');
  });
});
