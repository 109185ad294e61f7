import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  contentOf,
  FIXTURE_PASSWORDS,
  fixtureData,
  removeData,
  type DataContent,
  type FixtureVersion,
} from '../support/app/data-fixture.js';

describe.each<FixtureVersion>(['0.1', '0.2', '0.3'])('the data folder of Slipway %s', (version) => {
  let folder: { parent: string; data: string };
  let content: DataContent;

  beforeAll(async () => {
    folder = await fixtureData(version);
    content = await contentOf(folder.data, FIXTURE_PASSWORDS[version], version);
  });

  afterAll(() => removeData(folder));

  it('keeps its password, cluster, job and journal', () => {
    expect(content.config).toContain('role: worker');
    expect(content.kubeconfig).toContain('kind-shop');
    expect(content.jobs.at(-1)).toMatchObject({ id: 1, kind: 'create', cluster: 'shop', state: 'succeeded' });
    expect(content.cluster).toMatchObject({ name: 'shop', state: 'running', origin: 'created' });
    expect(content.journal).toMatchObject([{ kind: 'create', cluster: 'shop', outcome: 'succeeded' }]);
  });

  it('keeps its saved search and its alert with the secret of the webhook', () => {
    expect(content.savedSearches).toMatchObject([{ name: 'Timeouts', query: 'q=time%20out&level=error' }]);
    expect(content.alerts).toMatchObject([{ name: 'Never', webhook: { has_secret: true } }]);
    expect(JSON.parse(content.webhook ?? '{}')).toMatchObject({ secret: 'shared secret' });
  });

  it('records the version that used it, and keeps a copy of a database before its migration', () => {
    const names = readdirSync(folder.data);
    expect(JSON.parse(readFileSync(join(folder.data, 'version.json'), 'utf8'))).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect(names).toContain('slipway.db.before-schema-21');
  });

  it('keeps log lines and access tokens if the version had them in their current format', () => {
    const logs = join(folder.data, 'logs.earlier-version');
    const expected = {
      '0.1': { lines: 0, tokenStatus: 401, notice: expect.stringContaining(`was moved to ${logs}`) },
      '0.2': { lines: 26, tokenStatus: 200, notice: null },
      '0.3': { lines: 200, tokenStatus: 200, notice: null },
    };
    expect({
      lines: content.lines.length,
      tokenStatus: content.tokenStatus,
      notice: content.logNotice,
    }).toEqual(expected[version]);
  });

  it('keeps the edited config, jobs, chart repository and source settings of 0.3', () => {
    if (version !== '0.3') {
      expect(content.cluster.config_changed).toBe(false);
      return;
    }
    expect(content.cluster).toMatchObject({ config_changed: true, workers: 1 });
    expect(content.savedConfig.match(/role: worker/g)).toHaveLength(2);
    expect(content.savedConfig).toContain('# kept');
    expect(content.jobs).toMatchObject([{ kind: 'start' }, { kind: 'stop' }, { kind: 'create' }]);
    expect(content.repositories).toMatchObject([{ name: 'own', url: 'https://charts.example.com/own' }]);
    expect(content.repositoryPassword).toBe('shared password');
    expect(content.leftOut).toEqual([expect.stringMatching(/^container\/demo\/c+02$/)]);
  });
});
