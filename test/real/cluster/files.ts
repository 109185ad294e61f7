import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import type { FileListDto, FileWrittenDto, TextFileDto } from '../../../backend/src/modules/files/index.js';
import type { RealCluster } from '../support/real-cluster.js';

const MEGABYTES = 10;

/** Files of a container with busybox, and of one without a shell. */
export function testFiles(cluster: RealCluster): void {
  const files = (path: string, part = '', pod = 'default/files', container = 'main'): string =>
    `/clusters/${cluster.name}/pods/${pod}/files${part}?${new URLSearchParams({ container, path }).toString()}`;

  beforeAll(async () => {
    const container = {
      name: 'main',
      image: 'busybox:1.36',
      imagePullPolicy: 'IfNotPresent',
      command: ['sh', '-c', 'mkdir /data; cd /data; echo hello >greeting; sleep 3600'],
    };
    const spec = { terminationGracePeriodSeconds: 0, containers: [container] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'files' }, spec };
    const file = join(cluster.folder, 'files.json');
    await writeFile(file, JSON.stringify(pod));
    await cluster.serviceAccount();
    await cluster.kubectl('apply', `--filename=${file}`);
    await cluster.kubectl('wait', '--for=condition=Ready', 'pod/files', '--timeout=60s');
  });

  it('uploads and downloads 10 MB of random bytes, and lists them', async () => {
    const bytes = randomBytes(MEGABYTES * 1_000_000);
    const version = createHash('sha256').update(bytes).digest('hex');
    const { url } = cluster.product;
    const uploaded = await fetch(`${url}/api/v1${files('/data/random', '/content')}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes,
    });
    expect([uploaded.status, await uploaded.json()]).toEqual([
      200,
      { path: '/data/random', size: bytes.length, version } satisfies FileWrittenDto,
    ]);
    const downloaded = await fetch(`${url}/api/v1${files('/data/random', '/content')}`);
    expect(downloaded.headers.get('content-disposition')).toBe('attachment; filename=random');
    expect(
      createHash('sha256')
        .update(await downloaded.bytes())
        .digest('hex'),
    ).toBe(version);
    const { body } = await cluster.product.call<FileListDto>('GET', files('/data'));
    expect(body.entries.map(({ name, type, size }) => [name, type, size])).toEqual([
      ['greeting', 'file', 6],
      ['random', 'file', bytes.length],
    ]);
  });

  it('edits a text file, unless it has changed', async () => {
    const { product } = cluster;
    const { body: read } = await product.call<TextFileDto>('GET', files('/data/greeting', '/text'));
    expect(read.text).toBe('hello\n');
    const edit = { text: 'hello again\n', version: read.version };
    expect((await product.call('PUT', files('/data/greeting', '/text'), edit)).status).toBe(200);
    expect(await cluster.kubectl('exec', 'files', '--', 'cat', '/data/greeting')).toBe('hello again');
    const late = await product.call('PUT', files('/data/greeting', '/text'), edit);
    expect(late.body).toMatchObject({ code: 'resource_conflict' });
  });

  it('names what is not there, and an image without a shell', async () => {
    const { product } = cluster;
    expect((await product.call('GET', files('/nowhere'))).body).toMatchObject({ code: 'file_not_found' });
    const names = await cluster.kubectl(
      'get',
      'pods',
      '--namespace=kube-system',
      '--selector=k8s-app=kube-dns',
      '--output=jsonpath={.items[0].metadata.name}',
    );
    const bare = await product.call('GET', files('/', '', `kube-system/${names}`, 'coredns'));
    expect(bare.body).toMatchObject({ code: 'file_tools_missing' });
  });

  it('downloads a directory as a tar archive', async () => {
    const response = await fetch(`${cluster.product.url}/api/v1${files('/data', '/content')}`);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=data.tar');
    const archive = Buffer.from(await response.bytes());
    expect(archive.length).toBeGreaterThan(MEGABYTES * 1_000_000);
    expect(archive.includes('data/greeting')).toBe(true);
  });

  it('lists and opens odd names and times, and packs a linked directory', async () => {
    const script = `mkdir -p /odd/v2/sub && cd /odd && echo two >v2/a.txt && echo s >v2/sub/b.txt
      ln -s v2 ..data; ln -s ..data current; ln -s nowhere dangling; mkfifo pipe
      touch -d '1969-12-31 12:00:00' old.txt; touch 'new
line'; printf x >"$(printf 'bad\\377')"`;
    await cluster.kubectl('exec', 'files', '--', 'sh', '-c', script);
    const { product } = cluster;
    const { body } = await product.call<FileListDto>('GET', files('/odd'));
    expect(body.entries.map(({ name }) => name)).toEqual([
      '..data',
      'current',
      'v2',
      'bad\\xFF',
      'dangling',
      'new\nline',
      'old.txt',
      'pipe',
    ]);
    expect(body.entries.find(({ name }) => name === 'old.txt')?.modified_at).toBe('1969-12-31T12:00:00.000Z');
    for (const name of ['bad\\xFF', 'new\nline']) {
      expect((await fetch(`${product.url}/api/v1${files(`/odd/${name}`, '/content')}`)).status).toBe(200);
    }
    for (const name of ['dangling', 'pipe']) {
      const { status } = await product.call('GET', files(`/odd/${name}`, '/content'));
      expect([404, 409, 422]).toContain(status);
    }
    const response = await fetch(`${product.url}/api/v1${files('/odd/current', '/content')}`);
    const archive = Buffer.from(await response.bytes());
    expect([archive.includes('current/a.txt'), archive.includes('current/sub/b.txt')]).toEqual([true, true]);
  });
}
