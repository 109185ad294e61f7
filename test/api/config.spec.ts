import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parse } from 'yaml';
import { JournalService } from '../../backend/src/modules/journal/index.js';
import type { ApiAnswer, ErrorAnswer } from '../support/app/api-client.js';
import { clusterOf, createCluster, jobEnded, requestCluster, savedMeta } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

interface ConfigAnswer {
  config: string;
  source: string;
  config_changed: boolean;
}

const JSON_WANTED = { accept: 'application/json' };
const HEAD = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';
const IMAGE = 'docker.io/kindest/node:v1.34.4';

function configOf(name: string, workers: number, more = ''): string {
  const nodes = ['control-plane', ...Array<string>(workers).fill('worker')];
  return `${HEAD}name: ${name}\nnodes:\n${nodes.map((role) => `  - role: ${role}\n    image: ${IMAGE}\n`).join('')}${more}`;
}

const tagOf = (text: string | Buffer): string => `"${createHash('sha256').update(text).digest('hex')}"`;

describe('the config of a cluster', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'edited', { workers: 1 });
    await createCluster(app.client, 'bystander');
  });

  afterAll(() => app.stop());

  const path = (name = 'edited', rest = ''): string => `/api/v1/clusters/${name}/config${rest}`;
  const file = (name: string, entry: string): string => join(app.dataDirectory, 'clusters', name, entry);
  const saved = (name = 'edited'): string => readFileSync(file(name, 'cluster.yaml'), 'utf8');
  const meta = (name = 'edited'): Record<string, unknown> => savedMeta(app.dataDirectory, name);

  /** Sends YAML, with the tag of what is saved unless another is given. */
  async function put(
    text: string | Buffer,
    {
      name = 'edited',
      query = '',
      headers = {},
    }: Partial<{ name: string; query: string; headers: object }> = {},
  ): Promise<ApiAnswer> {
    return await app.client.send('PUT', path(name, query), {
      text,
      headers: { 'content-type': 'application/yaml', 'if-match': tagOf(saved(name)), ...headers },
    });
  }

  function expectError(answer: ApiAnswer, status: number, code: string): ErrorAnswer {
    const body = answer.body as ErrorAnswer;
    expect(`${answer.status} ${body.code}`).toBe(`${status} ${code}`);
    expect(body.message.length).toBeGreaterThan(20);
    return body;
  }

  describe('is read', () => {
    it('as the saved text, to the byte, with a strong ETag of it', async () => {
      const answer = await app.client.send('GET', path());
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/yaml/);
      expect(answer.text).toBe(saved());
      expect(answer.headers.etag).toBe(tagOf(saved()));
      expect(answer.headers.vary).toMatch(/accept/i);
    });

    it('as JSON where that is asked for, with the same ETag', async () => {
      const answer = await app.client.send('GET', path(), { headers: JSON_WANTED });
      expect(answer.body).toEqual({ config: saved(), source: 'saved' });
      expect(answer.headers.etag).toBe(tagOf(saved()));
    });

    it('for what runs too: the same, as long as nothing was changed', async () => {
      const answer = await app.client.send('GET', path('edited', '/applied'));
      expect(answer.text).toBe(saved());
      expect(readFileSync(file('edited', 'applied.yaml'), 'utf8')).toBe(saved());
    });

    it('of no cluster that is not there', async () => {
      expectError(await app.client.send('GET', path('nobody')), 404, 'cluster_not_found');
      expectError(await app.client.send('GET', path('nobody', '/applied')), 404, 'cluster_not_found');
    });
  });

  describe('is replaced', () => {
    it('by YAML: saved to the byte, marked in the meta, told in the journal; what runs stays', async () => {
      const text = `# mine\n${configOf('edited', 3)}`;
      const answer = await put(text);
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(text);
      expect(answer.headers.etag).toBe(tagOf(text));
      expect(saved()).toBe(text);
      expect(meta()).toMatchObject({
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
      const stats = await app.client.get<{ total_workers_from_meta: number }>('/api/v1/stats');
      expect(stats.total_workers_from_meta).toBe(3);
      expect(readdirSync(file('edited', '')).filter((entry) => entry.startsWith('.'))).toEqual([]);
    });

    it('by JSON, and says whether it differs from what runs', async () => {
      const text = configOf('edited', 2);
      const answer = await app.client.send('PUT', path(), {
        body: { config: text },
        headers: { 'if-match': tagOf(saved()), ...JSON_WANTED },
      });
      expect(answer.body).toEqual({ config: text, source: 'saved', config_changed: true });
      expect(saved()).toBe(text);
    });

    it('by what runs, which takes the mark away', async () => {
      const applied = await app.client.send('GET', path('edited', '/applied'));
      expect(applied.text).not.toBe(saved());
      const answer = await put(applied.text, { headers: JSON_WANTED });
      expect((answer.body as ConfigAnswer).config_changed).toBe(false);
      expect(meta()).toMatchObject({ config_changed: false, workers: 1 });
    });

    it('by the very same, which is no change: no mark, no entry, no file touched', async () => {
      const before = readFileSync(file('edited', 'meta.json'), 'utf8');
      const count = async (): Promise<number> =>
        (await app.client.get<{ total: number }>('/api/v1/journal/recent?kind=config')).total;
      const entries = await count();
      expect((await put(saved())).status).toBe(200);
      expect(readFileSync(file('edited', 'meta.json'), 'utf8')).toBe(before);
      expect(await count()).toBe(entries);
    });

    it('completed where kind would choose by itself, and the answer shows what was saved', async () => {
      const answer = await put(`# kept\n${HEAD}nodes:\n  - role: control-plane # why\n  - role: worker\n`);
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(saved());
      expect(saved()).toContain('# kept');
      expect(saved()).toContain('# why');
      expect(parse(saved())).toMatchObject({ name: 'edited', nodes: [{ image: IMAGE }, { image: IMAGE }] });
    });
  });

  describe('is not replaced', () => {
    let before: string;
    let metaBefore: string;

    beforeAll(() => {
      before = saved();
      metaBefore = readFileSync(file('edited', 'meta.json'), 'utf8');
    });

    function expectUnchanged(): void {
      expect(saved()).toBe(before);
      expect(readFileSync(file('edited', 'meta.json'), 'utf8')).toBe(metaBefore);
    }

    it.each(['"stale"', 'W/"stale"', '"a", "b"'])(
      'with If-Match %s: 412, with the tag of what is there',
      async (match) => {
        const answer = await put(configOf('edited', 4), { headers: { 'if-match': match } });
        expect(expectError(answer, 412, 'precondition_failed').details).toEqual({ etag: tagOf(before) });
        expect(answer.headers.etag).toBe(tagOf(before));
        expectUnchanged();
      },
    );

    it('with a weak tag, even of what is there', async () => {
      const answer = await put(configOf('edited', 4), { headers: { 'if-match': `W/${tagOf(before)}` } });
      expectError(answer, 412, 'precondition_failed');
      expectUnchanged();
    });

    it.each([
      ['no tag', () => tagOf(before).slice(1, -1)],
      ['empty', () => ''],
    ])('with an If-Match that is %s', async (_, match) => {
      const answer = await put(configOf('edited', 4), { headers: { 'if-match': match() } });
      expect(expectError(answer, 400, 'invalid_input').details).toMatchObject([{ field: 'If-Match' }]);
      expectUnchanged();
    });
  });

  it('takes a list of tags, and * for whatever is there', async () => {
    expect(
      (await put(configOf('edited', 2), { headers: { 'if-match': `"a", ${tagOf(saved())}` } })).status,
    ).toBe(200);
    expect((await put(configOf('edited', 3), { headers: { 'if-match': '*' } })).status).toBe(200);
  });

  it('takes a change without If-Match, which says nothing of what it replaces', async () => {
    const text = configOf('edited', 2);
    const answer = await app.client.send('PUT', path(), {
      text,
      headers: { 'content-type': 'application/yaml' },
    });
    expect([answer.status, saved()]).toEqual([200, text]);
  });

  it('takes one of two changes that come at once, and refuses the other', async () => {
    for (let round = 0; round < 10; round += 1) {
      const tag = tagOf(saved());
      const texts = [configOf('edited', 4, `# one ${round}\n`), configOf('edited', 5, `# two ${round}\n`)];
      const answers = await Promise.all(texts.map((text) => put(text, { headers: { 'if-match': tag } })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      expect(saved()).toBe(texts[answers.findIndex(({ status }) => status === 200)]);
    }
  });

  it('is not replaced while a job is at work on the cluster', async () => {
    const id = await requestCluster(app.client, 'busy', { workers: 2 });
    const text = saved('busy');
    const error = expectError(await put(configOf('busy', 1), { name: 'busy' }), 409, 'cluster_busy');
    expect(error.details).toEqual({ job_id: id });
    expect((await jobEnded(app.client, id)).state).toBe('succeeded');
    expect(saved('busy')).toBe(text);
    expect((await put(configOf('busy', 1), { name: 'busy' })).status).toBe(200);
  });

  it('is there to the byte when the disk is full at the last moment, and the answer says so', async () => {
    const files = ['applied.yaml', 'cluster.yaml', 'meta.json'];
    const read = (): string[] => files.map((entry) => readFileSync(file('edited', entry), 'utf8'));
    const before = read();
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    const record = jest.spyOn(app.nest.get(JournalService), 'record').mockImplementation(() => {
      throw full;
    });
    const answer = await put(configOf('edited', 6));
    record.mockRestore();
    expect(expectError(answer, 503, 'storage_unavailable').message).toContain('no room is left');
    expect(read()).toEqual(before);
    expect(readdirSync(file('edited', '')).filter((entry) => entry.startsWith('.'))).toEqual([]);
  });

  describe('that reaches further on this machine', () => {
    const mounted = (workers: number): string =>
      configOf('bystander', workers).replace(
        `    image: ${IMAGE}\n`,
        `    image: ${IMAGE}\n    extraMounts: [{ hostPath: /home, containerPath: /home }]\n`,
      );

    it('is saved only once that was confirmed, as a field or in the query', async () => {
      const error = expectError(await put(mounted(0), { name: 'bystander' }), 422, 'confirmation_required');
      expect(error.details).toMatchObject([{ kind: 'mount', path: 'nodes[0].extraMounts[0]' }]);
      expect(saved('bystander')).not.toContain('extraMounts');
      const confirmed = await put(mounted(0), { name: 'bystander', query: '?accept_host_access=true' });
      expect(confirmed.status).toBe(200);
    });

    it('is not asked about again for what was accepted', async () => {
      expect((await put(mounted(1), { name: 'bystander' })).status).toBe(200);
      const further = mounted(1).replace('hostPath: /home,', 'hostPath: /etc,');
      expectError(await put(further, { name: 'bystander' }), 422, 'confirmation_required');
      const answer = await app.client.send('PUT', path('bystander'), {
        body: { config: further, accept_host_access: true },
        headers: { 'if-match': tagOf(saved('bystander')) },
      });
      expect(answer.status).toBe(200);
    });
  });

  describe('that kind would refuse', () => {
    it.each<[string, string, object[]]>([
      [
        'an unknown key, where the key stands',
        `${configOf('edited', 0)}networkin:\n  ipFamily: ipv4\n`,
        [{ path: 'networkin', line: 7, column: 1 }],
      ],
      [
        'a role that there is not',
        `${HEAD}name: edited\nnodes:\n  - role: boss\n    image: ${IMAGE}\n`,
        [{ path: 'nodes[0].role', line: 5, column: 11 }],
      ],
      ['another name', configOf('other', 0), [{ path: 'name', line: 3, column: 7 }]],
      ['a key twice', `${configOf('edited', 0)}name: edited\n`, [{ path: '', line: 7, column: 1 }]],
      ['a tab', `${HEAD}name: edited\nnodes:\n\t- role: control-plane\n`, [{ line: 5 }]],
      [
        'two documents',
        `${configOf('edited', 0)}---\n${configOf('edited', 0)}`,
        [{ path: '', line: 7, column: 1 }],
      ],
      ['a NUL', configOf('edited', 0, '# a\u0000b\n'), [{ path: '', line: 7, column: 4 }]],
      ['a mark in the middle', configOf('edited', 0, '# \uFEFF\n'), [{ path: '', line: 7, column: 3 }]],
      [
        'a port twice',
        `${HEAD}name: edited\nnodes:\n  - image: ${IMAGE}\n    extraPortMappings:\n      - { containerPort: 1, hostPort: 81 }\n      - { containerPort: 2, hostPort: 81 }\n`,
        [{ path: 'nodes[0].extraPortMappings[1].hostPort', line: 8, column: 39 }],
      ],
      ['nothing', '', [{ path: '', line: 1, column: 1 }]],
    ])('%s: is refused with the place of each problem', async (_, text, problems) => {
      const before = saved();
      const error = expectError(await put(text), 422, 'config_refused');
      expect(error.details).toMatchObject(problems);
      expect(saved()).toBe(before);
      const check = await app.client.send('POST', path('edited', '/check'), { body: { config: text } });
      expect(check.body).toMatchObject({ acceptable: false, problems, host_access: [] });
    });
  });

  it('is checked without being changed', async () => {
    const before = saved();
    const text = configOf('edited', 7, 'kubeadmConfigPatches: ["kind: ClusterConfiguration"]\n');
    const answer = await app.client.send('POST', path('edited', '/check'), {
      text,
      headers: { 'content-type': 'text/yaml' },
    });
    expect(answer.body).toMatchObject({
      acceptable: true,
      problems: [],
      host_access: [{ kind: 'patch', path: 'kubeadmConfigPatches' }],
    });
    expect(saved()).toBe(before);
  });

  describe('as bytes', () => {
    it('loses a byte order mark and nothing else', async () => {
      const text = configOf('edited', 2, '# Grüße 😀\r\n');
      expect((await put(Buffer.from(`\uFEFF${text}`))).status).toBe(200);
      expect(saved()).toBe(text);
    });

    it.each<[string, Buffer]>([
      ['Latin-1', Buffer.from(configOf('edited', 1, '# Grüße\n'), 'latin1')],
      ['UTF-16', Buffer.from(`\uFEFF${configOf('edited', 1)}`, 'utf16le')],
      [
        'half a character',
        Buffer.concat([Buffer.from(configOf('edited', 1)), Buffer.from([0x23, 0xe2, 0x82])]),
      ],
    ])('in %s is refused, as YAML and as JSON', async (_, bytes) => {
      const before = saved();
      expect(expectError(await put(bytes), 400, 'malformed_body').message).toContain('UTF-8');
      const json = Buffer.concat([Buffer.from('{"config":"'), bytes, Buffer.from('"}')]);
      const answer = await put(json, { headers: { 'content-type': 'application/json' } });
      expectError(answer, 400, 'malformed_body');
      expect(saved()).toBe(before);
    });

    it('announced as another character set is refused', async () => {
      const type = 'application/yaml; charset=utf-16';
      expectError(
        await put(configOf('edited', 1), { headers: { 'content-type': type } }),
        415,
        'unsupported_media_type',
      );
    });

    it('of a megabyte is refused by its size, and of less by the limit of a config', async () => {
      expectError(await put(configOf('edited', 1, `# ${'x'.repeat(1_000_000)}\n`)), 413, 'payload_too_large');
      const long = configOf('edited', 1, `# ${'x'.repeat(200_000)}\n`);
      expectError(await put(long), 422, 'config_refused');
    });
  });

  it('is no body for a route that takes none', async () => {
    const headers = { 'content-type': 'application/yaml' };
    for (const [method, route] of [
      ['POST', '/api/v1/clusters'],
      ['POST', '/api/v1/clusters/check'],
      ['POST', '/api/v1/jobs/1/cancel'],
    ] as const) {
      expectError(
        await app.client.send(method, route, { text: HEAD, headers }),
        415,
        'unsupported_media_type',
      );
    }
  });

  it('that is gone from the disk is rebuilt from the containers, and never taken for an empty one', async () => {
    await createCluster(app.client, 'gone');
    const text = saved('gone');
    const { rmSync } = await import('node:fs');
    rmSync(file('gone', 'cluster.yaml'));
    const answer = await app.client.send('GET', path('gone'), { headers: JSON_WANTED });
    const { source, config } = answer.body as ConfigAnswer;
    expect([answer.status, source]).toEqual([200, 'rebuilt']);
    expect((parse(config) as { nodes: unknown }).nodes).toEqual((parse(text) as { nodes: unknown }).nodes);
    writeFileSync(file('gone', 'cluster.yaml'), text);
    expect(existsSync(file('gone', 'applied.yaml'))).toBe(true);
  });
});
