import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ConfigCheckDto } from '../../backend/src/modules/clusters/config/cluster-config.dto.js';
import { createCluster } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { CONFIG_HEAD, configOf, NODE_IMAGE, SavedConfig, tagOf } from '../support/app/saved-config.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('PUT /clusters/{name}/config', () => {
  let app: TestApp;
  let edited: SavedConfig;
  let bystander: SavedConfig;

  beforeAll(async () => {
    app = await startApp();
    edited = new SavedConfig(app, 'edited');
    bystander = new SavedConfig(app, 'bystander');
    await createCluster(app.client, 'edited', { workers: 1 });
    await createCluster(app.client, 'bystander');
  });

  afterAll(() => app.stop());

  describe('with more access to the host', () => {
    const mounted = (workers: number): string =>
      configOf('bystander', workers).replace(
        `    image: ${NODE_IMAGE}\n`,
        `    image: ${NODE_IMAGE}\n    extraMounts: [{ hostPath: /home, containerPath: /home }]\n`,
      );

    it('requires accept_host_access, in the body or the query', async () => {
      const error = expectError(await bystander.put(mounted(0)), 422, 'confirmation_required');
      expect(error.details).toMatchObject([{ kind: 'mount', path: 'nodes[0].extraMounts[0]' }]);
      expect(bystander.read()).not.toContain('extraMounts');
      const confirmed = await bystander.put(mounted(0), { query: '?accept_host_access=true' });
      expect(confirmed.status).toBe(200);
    });

    it('requires accept_host_access only for new host access', async () => {
      expect((await bystander.put(mounted(1))).status).toBe(200);
      const further = mounted(1).replace('hostPath: /home,', 'hostPath: /etc,');
      expectError(await bystander.put(further), 422, 'confirmation_required');
      const response = await app.client.send('PUT', bystander.path(), {
        body: { config: further, accept_host_access: true },
        headers: { 'if-match': tagOf(bystander.read()) },
      });
      expect(response.status).toBe(200);
    });
  });

  describe('with an invalid config', () => {
    it.each<[string, string, object[]]>([
      [
        'an unknown key',
        `${configOf('edited', 0)}networkin:\n  ipFamily: ipv4\n`,
        [{ path: 'networkin', line: 7, column: 1 }],
      ],
      [
        'an unknown role',
        `${CONFIG_HEAD}name: edited\nnodes:\n  - role: boss\n    image: ${NODE_IMAGE}\n`,
        [{ path: 'nodes[0].role', line: 5, column: 11 }],
      ],
      [
        'an unquoted ~ as hostPath',
        configOf('edited', 0).replace(
          `    image: ${NODE_IMAGE}\n`,
          `    image: ${NODE_IMAGE}\n    extraMounts: [{ hostPath: ~, containerPath: /data }]\n`,
        ),
        [
          {
            path: 'nodes[0].extraMounts[0].hostPath',
            problem: 'has no value; ~ and an empty value are null in YAML',
          },
        ],
      ],
      ['another name', configOf('other', 0), [{ path: 'name', line: 3, column: 7 }]],
      ['a duplicate key', `${configOf('edited', 0)}name: edited\n`, [{ path: '', line: 7, column: 1 }]],
      ['a tab', `${CONFIG_HEAD}name: edited\nnodes:\n\t- role: control-plane\n`, [{ line: 5 }]],
      ['a NUL character', configOf('edited', 0, '# a\u0000b\n'), [{ path: '', line: 7, column: 4 }]],
      [
        'a byte order mark in the middle',
        configOf('edited', 0, '# \uFEFF\n'),
        [{ path: '', line: 7, column: 3 }],
      ],
      [
        'a duplicate port',
        `${CONFIG_HEAD}name: edited\nnodes:\n  - image: ${NODE_IMAGE}\n    extraPortMappings:\n      - { containerPort: 1, hostPort: 81 }\n      - { containerPort: 2, hostPort: 81 }\n`,
        [{ path: 'nodes[0].extraPortMappings[1].hostPort', line: 8, column: 39 }],
      ],
      ['an empty text', '', [{ path: '', line: 1, column: 1 }]],
    ])('rejects %s with the position of each problem', async (_, text, problems) => {
      const before = edited.read();
      const error = expectError(await edited.put(text), 422, 'config_refused');
      expect(error.details).toMatchObject(problems);
      expect(edited.read()).toBe(before);
      const check = await app.client.send('POST', edited.path('/check'), { body: { config: text } });
      expect(check.body).toMatchObject({ acceptable: false, problems, host_access: [] });
    });
  });

  it('warns on POST …/config/check about a port in use, also by Slipway, with the next free port', async () => {
    const config = `${CONFIG_HEAD}nodes:
- role: control-plane
  extraPortMappings:
  - { containerPort: 80, hostPort: ${app.port}, listenAddress: 127.0.0.1 }
`;
    const answer = await app.client.send('POST', edited.path('/check'), { body: { config } });
    const { acceptable, host_problems: problems } = answer.body as ConfigCheckDto;
    expect([acceptable, problems]).toEqual([
      true,
      [
        {
          field: 'nodes[0].extraPortMappings[0].hostPort',
          problem: `host port ${app.port}/TCP on 127.0.0.1 is in use by Slipway; ${problems[0]?.next_port ?? 0} is free`,
          next_port: expect.any(Number),
          line: config.slice(0, config.indexOf('hostPort')).split('\n').length,
          column: `  - { containerPort: 80, hostPort: `.length + 1,
        },
      ],
    ]);
  });

  it('does not change the config on POST …/config/check', async () => {
    const before = edited.read();
    const text = configOf('edited', 7, 'kubeadmConfigPatches: ["kind: ClusterConfiguration"]\n');
    const response = await app.client.send('POST', edited.path('/check'), {
      text,
      headers: { 'content-type': 'text/yaml' },
    });
    expect(response.body).toMatchObject({
      acceptable: true,
      problems: [],
      host_access: [{ kind: 'patch', path: 'kubeadmConfigPatches' }],
    });
    expect(edited.read()).toBe(before);
  });

  it('keeps the text of a config with a second document, and the check warns about it', async () => {
    const text = `${configOf('edited', 0, '# a   comment\nnetworking:   {disableDefaultCNI: no}\n')}---\nkind: Namespace\n`;
    const check = await app.client.send('POST', edited.path('/check'), { body: { config: text } });
    expect(check.body).toMatchObject({
      acceptable: true,
      warnings: ['kind reads only the first document. It ignores the one that begins at line 9.'],
    });
    expect((await edited.put(text)).status).toBe(200);
    expect(edited.read()).toBe(text);
  });

  describe('encoding', () => {
    it('removes only a byte order mark', async () => {
      const text = configOf('edited', 2, '# Grüße 😀\r\n');
      expect((await edited.put(Buffer.from(`\uFEFF${text}`))).status).toBe(200);
      expect(edited.read()).toBe(text);
    });

    it.each<[string, Buffer]>([
      ['Latin-1', Buffer.from(configOf('edited', 1, '# Grüße\n'), 'latin1')],
      ['UTF-16', Buffer.from(`\uFEFF${configOf('edited', 1)}`, 'utf16le')],
      [
        'a truncated character',
        Buffer.concat([Buffer.from(configOf('edited', 1)), Buffer.from([0x23, 0xe2, 0x82])]),
      ],
    ])('rejects %s, as YAML and as JSON', async (_, bytes) => {
      const before = edited.read();
      expect(expectError(await edited.put(bytes), 400, 'malformed_body').message).toContain('UTF-8');
      const json = Buffer.concat([Buffer.from('{"config":"'), bytes, Buffer.from('"}')]);
      const response = await edited.put(json, { headers: { 'content-type': 'application/json' } });
      expectError(response, 400, 'malformed_body');
      expect(edited.read()).toBe(before);
    });

    it('rejects another charset in the content type', async () => {
      const type = 'application/yaml; charset=utf-16';
      expectError(
        await edited.put(configOf('edited', 1), { headers: { 'content-type': type } }),
        415,
        'unsupported_media_type',
      );
    });

    it('rejects 1 MB with payload_too_large, and less with config_refused', async () => {
      expectError(
        await edited.put(configOf('edited', 1, `# ${'x'.repeat(1_000_000)}\n`)),
        413,
        'payload_too_large',
      );
      const long = configOf('edited', 1, `# ${'x'.repeat(200_000)}\n`);
      expectError(await edited.put(long), 422, 'config_refused');
    });
  });

  it('rejects YAML bodies on other routes with unsupported_media_type', async () => {
    const headers = { 'content-type': 'application/yaml' };
    for (const [method, route] of [
      ['POST', '/api/v1/clusters'],
      ['POST', '/api/v1/clusters/check'],
      ['POST', '/api/v1/jobs/1/cancel'],
    ] as const) {
      expectError(
        await app.client.send(method, route, { text: CONFIG_HEAD, headers }),
        415,
        'unsupported_media_type',
      );
    }
  });
});
