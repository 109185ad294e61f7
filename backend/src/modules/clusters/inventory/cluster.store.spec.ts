import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../../core/config/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import { parseMeta } from './cluster-meta.js';
import { ClusterStore } from './cluster.store.js';
import { testKubeconfig } from '../../../../../test/support/kubernetes/test-kubeconfig.js';

describe('ClusterStore', () => {
  let folder: string;
  let store: ClusterStore;
  let log: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-store-'));
    log = [];
    const configuration = readConfiguration({ APP_DATA_DIR: folder, APP_LOG_FORMAT: 'json' });
    const logger = AppLogger.create(configuration, { write: (line) => void log.push(line) });
    store = new ClusterStore(DataDirectory.open(configuration), logger);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const place = (name: string, file: string): string => {
    mkdirSync(join(folder, 'clusters', name), { recursive: true });
    return join(folder, 'clusters', name, file);
  };
  const SOUND = { name: 'sound', runtime: 'demo' };
  const META = { name: 'sound', runtime: 'demo', created_at: '2026-01-02T03:04:05.000Z', workers: 2 };

  const HINDRANCES: [string, (path: string) => void][] = [
    ['no JSON', (path) => writeFileSync(path, '{')],
    ['null', (path) => writeFileSync(path, 'null')],
    ['a folder', (path) => mkdirSync(path)],
    ['a pipe without a writer', (path) => void execFileSync('mkfifo', [path])],
    [
      'of 2 GB',
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 2_000_000_000);
      },
    ],
    ['of another cluster', (path) => writeFileSync(path, JSON.stringify({ ...META, name: 'other' }))],
  ];

  it.each(HINDRANCES)(
    'ignores metadata that is %s, reports it once, and lists the others',
    async (_, hinder) => {
      hinder(place('broken', 'meta.json'));
      writeFileSync(place('sound', 'meta.json'), JSON.stringify(META));
      for (let time = 0; time < 2; time += 1) {
        expect((await store.list()).map(({ name, workers }) => [name, workers])).toEqual([['sound', 2]]);
      }
      expect(log.filter((line) => line.includes('ignored clusters/broken/meta.json'))).toHaveLength(1);
    },
  );

  it('ignores metadata with an invalid cluster name', async () => {
    writeFileSync(place('B@d', 'meta.json'), JSON.stringify({ ...META, name: 'B@d' }));
    expect(await store.list()).toEqual([]);
  });

  it('replaces invalid fields of metadata with defaults', async () => {
    const wrong = {
      ...META,
      workers: -1,
      created_at: 'yesterday',
      creation_ended_at: 7,
      node_addresses: { a: 1 },
    };
    writeFileSync(place('sound', 'meta.json'), JSON.stringify(wrong));
    expect(await store.read(SOUND)).toMatchObject({
      workers: 0,
      created_at: '1970-01-01T00:00:00.000Z',
      creation_ended_at: null,
      node_addresses: {},
    });
  });

  it.each(HINDRANCES.slice(2, 5))('treats a kubeconfig or log that is %s as missing', async (_, hinder) => {
    hinder(place('sound', 'kubeconfig'));
    hinder(place('sound', 'provision_log.json'));
    expect(await store.readKubeconfig(SOUND)).toBeUndefined();
    expect(await store.readProvisionLog(SOUND)).toBeUndefined();
    expect(log).toHaveLength(2);
  });

  it.each([
    '{"cluster":"sound","job_id":{"a":1},"outcome":"succeeded","stages":[]}',
    '{"cluster":"sound","job_id":1,"outcome":"succeeded","stages":[null]}',
    '{"cluster":"sound","job_id":1,"outcome":"succeeded","stages":[{"name":"a","output":"o"}]}',
  ])('treats the damaged provision log %s as missing', async (text) => {
    writeFileSync(place('sound', 'provision_log.json'), text);
    expect(await store.readProvisionLog(SOUND)).toBeUndefined();
  });

  it('keeps the files of two clusters with the same name in different engines separate', async () => {
    const docker = { name: 'twin', runtime: 'docker' };
    const podman = { name: 'twin', runtime: 'podman' };
    const metas = [docker, podman].map((key) => parseMeta(JSON.stringify({ ...META, ...key })));
    for (const meta of metas) if (meta) await store.writeMeta(meta);
    await store.writeConfig(docker, 'kind: Cluster # docker\n');
    await store.writeConfig(podman, 'kind: Cluster # podman\n');
    expect(readdirSync(join(folder, 'clusters')).sort()).toEqual(['twin', 'twin@podman']);
    expect((await store.list()).map(({ runtime }) => runtime).sort()).toEqual(['docker', 'podman']);
    expect(await store.read({ ...docker, runtime: 'demo' })).toBeUndefined();
    expect(await store.remove(docker)).toEqual(['cluster.yaml', 'meta.json']);
    expect(await store.readConfig(podman)).toContain('podman');
    await store.writeConfig(podman, 'kind: Cluster # still podman\n');
    expect(readdirSync(join(folder, 'clusters'))).toEqual(['twin@podman']);
    expect(await store.remove(docker)).toEqual([]);
    expect(await store.remove(podman)).toEqual(['cluster.yaml', 'meta.json']);
  });

  it('ignores metadata in the folder of another engine', async () => {
    writeFileSync(place('sound@podman', 'meta.json'), JSON.stringify({ ...META, runtime: 'docker' }));
    expect(await store.list()).toEqual([]);
    expect(log.filter((line) => line.includes('ignored clusters/sound@podman/meta.json'))).toHaveLength(1);
  });

  describe('changeMeta', () => {
    const change = (confirm: () => boolean): Promise<boolean> =>
      store.changeMeta(SOUND, (meta) => ({ ...meta, wanted: 'stopped' }), confirm);
    const wanted = async (): Promise<unknown> => (await store.read(SOUND))?.wanted;

    beforeEach(() => writeFileSync(place('sound', 'meta.json'), JSON.stringify(META)));

    it('keeps all other fields', async () => {
      expect(await change(() => true)).toBe(true);
      expect(await store.read(SOUND)).toMatchObject({ ...META, wanted: 'stopped' });
      expect(
        await store.changeMeta(
          SOUND,
          () => undefined,
          () => true,
        ),
      ).toBe(false);
    });

    it('changes nothing without confirmation or after a concurrent change', async () => {
      expect(await change(() => false)).toBe(false);
      const overtaken = store.changeMeta(
        SOUND,
        (meta) => {
          writeFileSync(place('sound', 'meta.json'), JSON.stringify({ ...META, config_changed: true }));
          return { ...meta, wanted: 'stopped' };
        },
        () => true,
      );
      expect(await overtaken).toBe(false);
      expect(await store.read(SOUND)).toMatchObject({ config_changed: true, wanted: 'running' });
      expect(readdirSync(join(folder, 'clusters', 'sound'))).toEqual(['meta.json']);
    });

    it('does not create a deleted cluster again', async () => {
      const deleted = store.changeMeta(
        SOUND,
        (meta) => {
          rmSync(join(folder, 'clusters', 'sound'), { recursive: true });
          return { ...meta, wanted: 'stopped' };
        },
        () => true,
      );
      expect([await deleted, await wanted(), readdirSync(join(folder, 'clusters'))]).toEqual([
        false,
        undefined,
        [],
      ]);
    });
  });

  it('creates files and folders that only their owner can access', async () => {
    await store.writeKubeconfig(SOUND, testKubeconfig());
    await store.writeConfig(SOUND, 'kind: Cluster\n');
    expect(statSync(await store.kubeconfigFile(SOUND)).mode & 0o777).toBe(0o600);
    expect(statSync(await store.configFile(SOUND)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'clusters', 'sound')).mode & 0o777).toBe(0o700);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });
});
