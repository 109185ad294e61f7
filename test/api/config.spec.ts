import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parse } from 'yaml';
import { JournalService } from '../../backend/src/modules/journal/journal.service.js';
import { clusterOf, createCluster, jobEnded, requestCluster, savedMeta } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { CONFIG_HEAD, configOf, NODE_IMAGE, SavedConfig, tagOf } from '../support/app/saved-config.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

interface ConfigAnswer {
  config: string;
  source: string;
  config_changed: boolean;
}

const JSON_WANTED = { accept: 'application/json' };

describe('GET and PUT /clusters/{name}/config', () => {
  let app: TestApp;
  let edited: SavedConfig;

  beforeAll(async () => {
    app = await startApp();
    edited = new SavedConfig(app, 'edited');
    await createCluster(app.client, 'edited', { workers: 1 });
  });

  afterAll(() => app.stop());

  describe('GET', () => {
    it('returns the saved bytes with a strong ETag', async () => {
      const answer = await app.client.send('GET', edited.path());
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/yaml/);
      expect(answer.text).toBe(edited.read());
      expect(answer.headers.etag).toBe(tagOf(edited.read()));
      expect(answer.headers.vary).toMatch(/accept/i);
    });

    it('returns JSON with Accept: application/json, with the same ETag', async () => {
      const answer = await app.client.send('GET', edited.path(), { headers: JSON_WANTED });
      expect(answer.body).toEqual({ config: edited.read(), source: 'saved' });
      expect(answer.headers.etag).toBe(tagOf(edited.read()));
    });

    it('returns the same text for …/config/applied until it is changed', async () => {
      const answer = await app.client.send('GET', edited.path('/applied'));
      expect(answer.text).toBe(edited.read());
      expect(edited.read('applied.yaml')).toBe(edited.read());
    });

    it('returns 404 for a missing cluster', async () => {
      const missing = new SavedConfig(app, 'missing');
      expectError(await app.client.send('GET', missing.path()), 404, 'cluster_not_found');
      expectError(await app.client.send('GET', missing.path('/applied')), 404, 'cluster_not_found');
    });
  });

  describe('PUT', () => {
    it('saves the bytes of YAML, marks the meta, adds a journal entry, and keeps the running cluster', async () => {
      const text = `# mine\n${configOf('edited', 3)}`;
      const answer = await edited.put(text);
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(text);
      expect(answer.headers.etag).toBe(tagOf(text));
      expect(edited.read()).toBe(text);
      expect(savedMeta(app.dataDirectory, 'edited')).toMatchObject({
        config_changed: true,
        workers: 3,
        control_planes: 1,
        node_image_tag: 'v1.34.4',
      });
      expect(await clusterOf(app.client, 'edited')).toMatchObject({
        config_changed: true,
        workers: 1,
        state: 'running',
      });
      const { entries } = await app.client.get<{ entries: object[] }>('/api/v1/journal/recent?kind=config');
      expect(entries).toEqual([
        expect.objectContaining({
          cluster: 'edited',
          outcome: 'succeeded',
          message:
            'Config saved: 1 control plane and 3 workers of v1.34.4. It takes effect at the next start.',
        }),
      ]);
      await app.client.until<{ total_workers_from_meta: number }>(
        '/api/v1/stats',
        (stats) => stats.total_workers_from_meta === 3,
      );
      expect(readdirSync(edited.file('')).filter((entry) => entry.startsWith('.'))).toEqual([]);
    });

    it('accepts JSON, and returns whether the config differs from the running one', async () => {
      const text = configOf('edited', 2);
      const answer = await app.client.send('PUT', edited.path(), {
        body: { config: text },
        headers: { 'if-match': tagOf(edited.read()), ...JSON_WANTED },
      });
      expect(answer.body).toEqual({ config: text, source: 'saved', config_changed: true });
      expect(edited.read()).toBe(text);
    });

    it('removes the mark with the config of the running cluster', async () => {
      const applied = await app.client.send('GET', edited.path('/applied'));
      expect(applied.text).not.toBe(edited.read());
      const answer = await edited.put(applied.text, { headers: JSON_WANTED });
      expect((answer.body as ConfigAnswer).config_changed).toBe(false);
      expect(savedMeta(app.dataDirectory, 'edited')).toMatchObject({ config_changed: false, workers: 1 });
    });

    it('changes nothing with the saved text', async () => {
      const before = edited.read('meta.json');
      const count = async (): Promise<number> =>
        (await app.client.get<{ total: number }>('/api/v1/journal/recent?kind=config')).total;
      const entries = await count();
      expect((await edited.put(edited.read())).status).toBe(200);
      expect(edited.read('meta.json')).toBe(before);
      expect(await count()).toBe(entries);
    });

    it('completes values that kind would choose, and returns the saved text', async () => {
      const answer = await edited.put(
        `# kept\n${CONFIG_HEAD}nodes:\n  - role: control-plane # why\n  - role: worker\n`,
      );
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(edited.read());
      expect(edited.read()).toContain('# kept');
      expect(edited.read()).toContain('# why');
      expect(parse(edited.read())).toMatchObject({
        name: 'edited',
        nodes: [{ image: NODE_IMAGE }, { image: NODE_IMAGE }],
      });
    });
  });

  describe('PUT without a matching If-Match', () => {
    let before: string;
    let metaBefore: string;

    beforeAll(() => {
      before = edited.read();
      metaBefore = edited.read('meta.json');
    });

    function expectUnchanged(): void {
      expect(edited.read()).toBe(before);
      expect(edited.read('meta.json')).toBe(metaBefore);
    }

    it.each(['"stale"', 'W/"stale"', '"a", "b"'])(
      'returns 412 and the current tag for If-Match %s',
      async (match) => {
        const answer = await edited.put(configOf('edited', 4), { headers: { 'if-match': match } });
        expect(expectError(answer, 412, 'precondition_failed').details).toEqual({ etag: tagOf(before) });
        expect(answer.headers.etag).toBe(tagOf(before));
        expectUnchanged();
      },
    );

    it('returns 412 for a weak tag', async () => {
      const answer = await edited.put(configOf('edited', 4), {
        headers: { 'if-match': `W/${tagOf(before)}` },
      });
      expectError(answer, 412, 'precondition_failed');
      expectUnchanged();
    });

    it.each([
      ['no tag', () => tagOf(before).slice(1, -1)],
      ['empty', () => ''],
    ])('rejects an If-Match that is %s', async (_, match) => {
      const answer = await edited.put(configOf('edited', 4), { headers: { 'if-match': match() } });
      expect(expectError(answer, 400, 'invalid_input').details).toMatchObject([{ field: 'If-Match' }]);
      expectUnchanged();
    });
  });

  it('accepts a list of tags, and *', async () => {
    expect(
      (await edited.put(configOf('edited', 2), { headers: { 'if-match': `"a", ${tagOf(edited.read())}` } }))
        .status,
    ).toBe(200);
    expect((await edited.put(configOf('edited', 3), { headers: { 'if-match': '*' } })).status).toBe(200);
  });

  it('accepts a change without If-Match', async () => {
    const text = configOf('edited', 2);
    const answer = await app.client.send('PUT', edited.path(), {
      text,
      headers: { 'content-type': 'application/yaml' },
    });
    expect([answer.status, edited.read()]).toEqual([200, text]);
  });

  it('accepts one of two concurrent changes', async () => {
    for (let round = 0; round < 10; round += 1) {
      const tag = tagOf(edited.read());
      const texts = [configOf('edited', 4, `# one ${round}\n`), configOf('edited', 5, `# two ${round}\n`)];
      const answers = await Promise.all(
        texts.map((text) => edited.put(text, { headers: { 'if-match': tag } })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      expect(edited.read()).toBe(texts[answers.findIndex(({ status }) => status === 200)]);
    }
  });

  it('rejects a change with cluster_busy while a job runs', async () => {
    const busy = new SavedConfig(app, 'busy');
    const id = await requestCluster(app.client, 'busy', { workers: 2 });
    const text = busy.read();
    const error = expectError(await busy.put(configOf('busy', 1)), 409, 'cluster_busy');
    expect(error.details).toEqual({ job_id: id });
    expect((await jobEnded(app.client, id)).state).toBe('succeeded');
    expect(busy.read()).toBe(text);
    expect((await busy.put(configOf('busy', 1))).status).toBe(200);
  });

  it('keeps the saved bytes if the disk is full, and returns an error', async () => {
    const files = ['applied.yaml', 'cluster.yaml', 'meta.json'];
    const read = (): string[] => files.map((entry) => edited.read(entry));
    const before = read();
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    const record = jest.spyOn(app.nest.get(JournalService), 'record').mockImplementation(() => {
      throw full;
    });
    const answer = await edited.put(configOf('edited', 6));
    record.mockRestore();
    expect(expectError(answer, 503, 'storage_unavailable').message).toContain('no space is left');
    expect(read()).toEqual(before);
    expect(readdirSync(edited.file('')).filter((entry) => entry.startsWith('.'))).toEqual([]);
  });

  it('rebuilds a lost config from the containers', async () => {
    const gone = new SavedConfig(app, 'gone');
    await createCluster(app.client, 'gone');
    const text = gone.read();
    rmSync(gone.file('cluster.yaml'));
    const answer = await app.client.send('GET', gone.path(), { headers: JSON_WANTED });
    const { source, config } = answer.body as ConfigAnswer;
    expect([answer.status, source]).toEqual([200, 'rebuilt']);
    expect((parse(config) as { nodes: unknown }).nodes).toEqual((parse(text) as { nodes: unknown }).nodes);
    writeFileSync(gone.file('cluster.yaml'), text);
    expect(existsSync(gone.file('applied.yaml'))).toBe(true);
  });
});
