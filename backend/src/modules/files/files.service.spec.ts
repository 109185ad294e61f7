import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ScriptedResources } from '../../../../test/support/kubernetes/scripted-resources.js';
import { strictFake } from '../../../../test/support/strict-fake.js';
import { runAs, SYSTEM_ACTOR } from '../../core/logging/index.js';
import { JournalService, type NewJournalEntry } from '../journal/index.js';
import { ClusterResources } from '../resources/index.js';
import { ContainerFiles } from './container-files.js';
import { FileReads } from './file-reads.js';
import { FilesService, type FileAddress } from './files.service.js';

const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';
const WHERE = 'container web in pod shop/web-1';
const STAYS = new AbortController().signal;
const at = (path: string, container = 'web'): FileAddress => ({
  ...{ cluster: 'shop', runtime: undefined, namespace: 'shop', pod: 'web-1' },
  container,
  path,
});

describe('reading files of a container', () => {
  /** Entries and reads in their order. */
  let happened: string[];
  let canRecord: boolean;
  let files: FilesService;

  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    happened = [];
    canRecord = true;
    const journal = strictFake(JournalService, {
      record: ({ kind, message }: NewJournalEntry) => {
        if (!canRecord) throw new Error('database is locked');
        happened.push(`${kind}: ${message}`);
      },
    });
    const read = <TResult>(what: string, result: TResult): Promise<TResult> => {
      happened.push(what);
      return Promise.resolve(result);
    };
    const container = strictFake(ContainerFiles, {
      list: (_of, path) => read(`list ${path}`, Buffer.alloc(0)),
      head: (_of, path) => read(`head ${path}`, Buffer.from('text')),
      isDirectory: (_of, path) => read(`kind of ${path}`, false),
      read: async function* (_of, path) {
        yield await read(`read ${path}`, Buffer.from('text'));
      },
    });
    const resources = strictFake(ClusterResources, {
      open: () =>
        Promise.resolve({ api: new ScriptedResources(), cluster: { name: 'shop', runtime: 'docker' } }),
    } as unknown as ClusterResources);
    files = new FilesService(resources, container, journal, new FileReads(journal));
  });
  afterEach(() => void jest.useRealTimers());

  it('is recorded before it happens', async () => {
    await files.readText(at(TOKEN), STAYS);
    const { content } = await files.download(at('/etc/passwd'), STAYS);
    for await (const chunk of content) expect(chunk.toString()).toBe('text');
    await files.list(at('/etc'), STAYS);
    expect(happened).toEqual([
      `file-read: Read ${TOKEN} of ${WHERE}.`,
      `head ${TOKEN}`,
      `file-download: Downloaded /etc/passwd of ${WHERE}.`,
      'kind of /etc/passwd',
      'read /etc/passwd',
      `file-list: Listed directories of ${WHERE}, first /etc.`,
      'list /etc',
    ]);
  });

  it('does not happen if it cannot be recorded', async () => {
    canRecord = false;
    for (const work of [
      files.readText(at(TOKEN), STAYS),
      files.download(at(TOKEN), STAYS),
      files.list(at('/'), STAYS),
    ]) {
      await expect(work).rejects.toThrow('database is locked');
    }
    expect(happened).toEqual([]);
  });

  it('is recorded once per path and minute, container and hour, and actor', async () => {
    const entries = (): string[] => happened.filter((what) => what.startsWith('file-'));
    const twice = async (work: () => Promise<unknown>): Promise<number> => {
      const before = entries().length;
      await work();
      await work();
      return entries().length - before;
    };
    expect(await twice(() => files.readText(at('/a'), STAYS))).toBe(1);
    expect(await twice(() => files.readText(at('/b'), STAYS))).toBe(1);
    expect(await twice(() => files.download(at('/b'), STAYS))).toBe(1);
    expect(await twice(() => files.list(at('/a'), STAYS))).toBe(1);
    expect(await twice(() => files.list(at('/b'), STAYS))).toBe(0);
    expect(await twice(() => files.list(at('/b', 'other'), STAYS))).toBe(1);
    const other = { ...SYSTEM_ACTOR, kind: 'token', id: 'other' } as const;
    expect(await twice(() => runAs(other, () => files.readText(at('/a'), STAYS)))).toBe(1);
    jest.setSystemTime(60_000);
    expect(await twice(() => files.readText(at('/a'), STAYS))).toBe(1);
    expect(await twice(() => files.list(at('/a'), STAYS))).toBe(0);
    jest.setSystemTime(3_600_000);
    expect(await twice(() => files.list(at('/a'), STAYS))).toBe(1);
  });
});
