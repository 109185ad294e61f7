import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Header } from 'tar';
import { readChartArchive } from './chart-archive.js';

interface Entry {
  path: string;
  text?: string;
  type?: 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice';
  linkpath?: string;
}

const CHART = 'apiVersion: v2\nname: shop\nversion: 1.2.3\nappVersion: 4\nkubeVersion: ">=1.25.0-0"\n';

function block({ path, text = '', type = 'File', linkpath }: Entry): Buffer {
  const content = Buffer.from(text);
  const head = Buffer.alloc(512);
  new Header({ path, size: content.length, type, mode: 0o644, ...(linkpath ? { linkpath } : {}) }).encode(
    head,
  );
  return Buffer.concat([head, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

describe('readChartArchive', () => {
  let folder: string;
  const file = (): string => join(folder, 'chart.tgz');
  const pack = async (entries: Entry[]): Promise<void> => {
    await writeFile(file(), gzipSync(Buffer.concat([...entries.map(block), Buffer.alloc(1024)])));
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chart-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('reads a packaged chart', async () => {
    await pack([
      { path: 'shop/Chart.yaml', text: `${CHART}dependencies: [{ name: redis, version: 1.0.0 }]\n` },
      { path: 'shop/values.yaml', text: '# a comment\nreplicas: 1\n' },
      { path: 'shop/values.schema.json', text: '{"type":"object"}' },
      { path: 'shop/crds/things.yaml', text: 'x' },
      { path: 'shop/charts/redis/Chart.yaml', text: 'name: redis\nversion: 1.0.0\n' },
      { path: 'shop/charts/redis/crds/caches.yaml', text: 'x' },
      { path: 'shop/charts/crds/templates/none.yaml', text: 'x' },
    ]);
    expect(await readChartArchive(file())).toEqual({
      name: 'shop',
      version: '1.2.3',
      appVersion: '4',
      description: '',
      kubeVersion: '>=1.25.0-0',
      defaultValues: '# a comment\nreplicas: 1\n',
      schema: '{"type":"object"}',
      crds: ['caches.yaml', 'things.yaml'],
      dependencies: ['redis'],
      source: { type: 'archive', file: file() },
    });
  });

  it.each<[string, Entry[], string]>([
    ['no Chart.yaml', [{ path: 'shop/values.yaml', text: 'a: 1' }], 'no Chart.yaml'],
    [
      'two folders',
      [
        { path: 'shop/Chart.yaml', text: CHART },
        { path: 'other/x', text: 'x' },
      ],
      'exactly one top-level folder',
    ],
    [
      'a duplicate file',
      [
        { path: 'shop/Chart.yaml', text: CHART },
        { path: 'shop/Chart.yaml', text: CHART },
      ],
      'twice',
    ],
    [
      'a path with ..',
      [
        { path: 'shop/Chart.yaml', text: CHART },
        { path: 'shop/../../etc/x', text: 'x' },
      ],
      'leaves the archive',
    ],
    [
      'an absolute path',
      [
        { path: 'shop/Chart.yaml', text: CHART },
        { path: '/etc/x', text: 'x' },
      ],
      'leaves the archive',
    ],
    [
      'a symbolic link',
      [
        { path: 'shop/Chart.yaml', text: CHART },
        { path: 'shop/x', type: 'SymbolicLink', linkpath: '/etc/passwd' },
      ],
      'Link, which is not allowed',
    ],
    [
      'a hard link',
      [
        { path: 'shop/Chart.yaml', text: CHART },
        { path: 'shop/x', type: 'Link', linkpath: '/etc/passwd' },
      ],
      'Link, which is not allowed',
    ],
    [
      'an invalid name',
      [{ path: 'shop/Chart.yaml', text: 'name: ../x\nversion: 1.2.3\n' }],
      'the name in its Chart.yaml',
    ],
    [
      'an invalid version',
      [{ path: 'shop/Chart.yaml', text: 'name: shop\nversion: latest\n' }],
      'is not a version',
    ],
    ['a library chart', [{ path: 'shop/Chart.yaml', text: `${CHART}type: library\n` }], 'library'],
    [
      'an invalid schema',
      [
        { path: 'shop/Chart.yaml', text: CHART },
        { path: 'shop/values.schema.json', text: '{' },
      ],
      'not valid JSON',
    ],
    ['no files', [], 'not a valid chart'],
  ])('rejects an archive with %s', async (_what, entries, words) => {
    await pack(entries);
    await expect(readChartArchive(file())).rejects.toMatchObject({
      code: 'chart_refused',
      message: expect.stringContaining(words),
    });
  });

  it.each([
    ['appVersion: 9007199254740993', { appVersion: '9007199254740993' }],
    ['appVersion: 1_0', { appVersion: '10' }],
    ['description: yes', { description: 'true' }],
    ['version: 0644', { version: '420' }],
    ['version: 0.2.0', { version: '0.2.0' }],
  ])('reads %s as helm does', async (line, expected) => {
    await pack([{ path: 'shop/Chart.yaml', text: `${CHART}${line}\n` }]);
    expect(await readChartArchive(file())).toMatchObject(expected);
  });

  it('rejects a merge that helm cannot load', async () => {
    await pack([{ path: 'shop/Chart.yaml', text: `${CHART}<<: z\n` }]);
    await expect(readChartArchive(file())).rejects.toMatchObject({ code: 'chart_refused' });
  });

  it('rejects other files and decompression bombs', async () => {
    await writeFile(file(), 'PK not a chart');
    await expect(readChartArchive(file())).rejects.toMatchObject({ code: 'chart_refused' });
    await pack([
      { path: 'shop/Chart.yaml', text: CHART },
      { path: 'shop/bomb', text: '0'.repeat(101_000_000) },
    ]);
    await expect(readChartArchive(file())).rejects.toThrow('unpacks to more than');
  });
});
