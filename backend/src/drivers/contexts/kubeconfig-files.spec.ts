import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KubeconfigFiles } from './kubeconfig-files.js';

/** As many as make 100 kB: a context of kind with its certificates has 6 kB. */
function large(contexts: number): string {
  const data = 'a2V5'.repeat(1400);
  const names = Array.from({ length: contexts }, (_, index) => `c${index}`);
  return [
    'apiVersion: v1\nkind: Config\ncurrent-context: c1\nclusters:\n',
    ...names.map((name) => `- name: ${name}\n  cluster: {server: "https://${name}.test"}\n`),
    'users:\n',
    ...names.map((name) => `- name: ${name}\n  user: {client-key-data: ${data}}\n`),
    'contexts:\n',
    ...names.map((name) => `- name: ${name}\n  context: {cluster: ${name}, user: ${name}}\n`),
  ].join('');
}

describe('KubeconfigFiles with texts above the limit of the main thread', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'contexts-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('reads the contexts of a file', async () => {
    const file = join(folder, 'config');
    await writeFile(file, large(20));
    const { contexts, problems } = await new KubeconfigFiles().read([file]);
    expect(problems).toEqual([]);
    expect(contexts).toHaveLength(20);
    expect(contexts[19]).toMatchObject({ name: 'c19', file, cluster: { server: 'https://c19.test' } });
  });

  it('tells the line of a problem', async () => {
    const file = join(folder, 'broken');
    await writeFile(file, `${large(20)}users: {\n`);
    const { problems } = await new KubeconfigFiles().read([file]);
    expect(problems).toEqual([{ file, problem: expect.stringMatching(/^line \d+ /) }]);
  });

  it('reads a pasted text once', async () => {
    const files = new KubeconfigFiles();
    const text = large(20);
    const [one, again] = await Promise.all([files.ofText(text), files.ofText(text)]);
    expect(again).toBe(one);
    expect(one).toMatchObject({ current: 'c1', contexts: { length: 20 } });
    await expect(files.ofText(`${text}users: {\n`)).rejects.toMatchObject({ code: 'kubeconfig_unusable' });
  });
});
