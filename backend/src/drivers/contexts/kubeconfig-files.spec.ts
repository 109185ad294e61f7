import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KUBECONFIG_MERGES } from '../../../../test/support/kubernetes/kubeconfig-merges.js';
import { contextsOfText, KubeconfigFiles, textOfContext } from './kubeconfig-files.js';

describe('KubeconfigFiles', () => {
  let folder: string;
  const file = (name: string | number): string => join(folder, String(name));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-contexts-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each(KUBECONFIG_MERGES)('merges $name as kubectl', async ({ files, contexts: expected }) => {
    files.forEach((text, index) => {
      if (text !== null) writeFileSync(file(index), text);
    });
    const { contexts, problems } = await new KubeconfigFiles().read(files.map((_, index) => file(index)));
    expect(problems).toEqual([]);
    for (const [name, merged] of Object.entries(expected)) {
      const found = contexts.find((context) => context.name === name && !context.shadowed);
      expect([name, found?.cluster?.['server'] ?? null]).toEqual([name, merged?.server ?? null]);
      if (!merged) continue;
      expect({
        server: found?.cluster?.['server'],
        token: found?.user?.['token'] ?? null,
        namespace: found?.namespace ?? null,
        proxy: found?.cluster?.['proxy-url'] ?? null,
      }).toEqual(merged);
    }
  });

  it('gives a shadowed context the entries of its own file', async () => {
    const files = KUBECONFIG_MERGES[0]?.files ?? [];
    files.forEach((text, index) => writeFileSync(file(index), text ?? ''));
    const { contexts } = await new KubeconfigFiles().read([file(0), file(1)]);
    const same = contexts.filter(({ name }) => name === 'same');
    expect(same.map(({ file: from, shadowed, cluster }) => [from, shadowed, cluster?.['server']])).toEqual([
      [file(0), false, 'https://one.test'],
      [file(1), true, 'https://second.test'],
    ]);
  });

  it('resolves relative paths from the folder of the file that has them', async () => {
    const fields = 'certificate-authority: ca.crt';
    const user = 'client-certificate: sub/a.crt, client-key: /abs/a.key, tokenFile: ../token';
    writeFileSync(
      file('one'),
      `clusters: [{name: c, cluster: {server: "https://a.test", ${fields}}}]\nusers: [{name: u, user: {${user}}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n`,
    );
    const { contexts } = await new KubeconfigFiles().read([file('one')]);
    expect(contexts[0]).toMatchObject({
      cluster: { 'certificate-authority': file('ca.crt') },
      user: {
        'client-certificate': file('sub/a.crt'),
        'client-key': '/abs/a.key',
        tokenFile: join(folder, '..', 'token'),
        folder,
      },
    });
  });

  it('names unreadable files without their content, and reads them again when they change', async () => {
    const files = new KubeconfigFiles();
    writeFileSync(file('one'), 'users: [{name: u, user: {token: canary}}');
    const { problems } = await files.read([file('one')]);
    expect(problems).toEqual([{ file: file('one'), problem: expect.stringContaining('line 1') }]);
    expect(JSON.stringify(problems)).not.toContain('canary');
    writeFileSync(file('one'), 'contexts: [{name: x, context: {}}]');
    expect((await files.read([file('one')])).contexts).toMatchObject([{ name: 'x', cluster: null }]);
    rmSync(file('one'));
    expect(await files.read([file('one')])).toEqual({ contexts: [], problems: [] });
  });

  it('merges unchanged files once', async () => {
    const files = new KubeconfigFiles();
    const read = async (): Promise<unknown> => (await files.read([file(0), file(1)])).contexts;
    writeFileSync(file(0), 'contexts: [{name: x, context: {}}]');
    writeFileSync(file(1), 'contexts: [{name: y, context: {}}]');
    await delay(120);
    const merged = await read();
    expect(await read()).toBe(merged);
    writeFileSync(file(1), 'contexts: [{name: z, context: {}}]');
    expect(await read()).toMatchObject([{ name: 'x' }, { name: 'z' }]);
  });

  it('reads kubeconfigs above the limit of the main thread', async () => {
    const many = Array.from({ length: 300 }, (_, index) => index);
    const text = JSON.stringify({
      clusters: many.map((index) => ({ name: `c${index}`, cluster: { server: `https://${index}.test` } })),
      contexts: many.map((index) => ({ name: `x${index}`, context: { cluster: `c${index}` } })),
    });
    writeFileSync(file('many'), text);
    const { contexts, problems } = await new KubeconfigFiles().read([file('many')]);
    expect(problems).toEqual([]);
    expect(contexts).toHaveLength(300);
    expect(contexts[299]).toMatchObject({ name: 'x299', cluster: { server: 'https://299.test' } });
    expect((await contextsOfText(text)).contexts).toHaveLength(300);
  });
});

describe('textOfContext', () => {
  it('keeps one context with its cluster and user', async () => {
    const files = KUBECONFIG_MERGES[0]?.files ?? [];
    const { contexts } = await contextsOfText(files[1] ?? '');
    for (const context of contexts) {
      const text = textOfContext(context);
      expect((await contextsOfText(text)).contexts).toEqual([context]);
      expect(text).not.toContain('token-two');
    }
  });
});
