import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { Header } from 'tar';
import { readTar } from '../../backend/src/core/archive/read-tar.js';
import { createCluster } from '../support/app/clusters.js';
import { frame } from '../support/engine/scripted-logs.js';
import { filesOf } from '../support/server/files.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';

type EntryType = 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'Directory';

function entry(path: string, content = '', type: EntryType = 'File', linkpath = ''): Buffer {
  const header = Buffer.alloc(512);
  new Header({ path, type, size: Buffer.byteLength(content), mode: 0o777, linkpath }).encode(header, 0);
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

function* endless(): Generator<Buffer> {
  const line = frame('stdout', Buffer.from(`2026-01-01T00:00:00.000000000Z ${'x'.repeat(15_000)}\n`));
  const chunk = Buffer.concat(Array.from({ length: 10 }, () => line));
  for (;;) yield chunk;
}

async function logsOf(server: ScriptedServer, cluster: string): Promise<Map<string, string>> {
  const response = await server.client.send('GET', `/api/v1/clusters/${cluster}/node-logs`);
  expect(response.status).toBe(200);
  const found = new Map<string, string>();
  const limits = { entries: 30_000, bytes: 100_000_000, milliseconds: 10_000 };
  await readTar(
    Readable.from([response.bytes]),
    { limits, gzipped: true },
    async ({ path, type, content }) => {
      expect(type).toBe('File');
      found.set(path, (await buffer(content)).toString('utf8'));
    },
  );
  return found;
}

describe('GET /clusters/{name}/node-logs of a hostile node', () => {
  it('skips links and paths outside the archive, and writes no files', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'hostile');
      const { folders } = server.machine.engine('docker');
      folders.set(
        '/var/log',
        Buffer.concat([
          entry('log/pods/', '', 'Directory'),
          entry('log/pods/shop_web_1/app/0.log', 'a line\n'),
          entry('../../../../slip', 'out'),
          entry('/etc/cron.d/slip', 'out'),
          entry('log/pods/link', '', 'SymbolicLink', '/etc/passwd'),
          entry('log/pods/hard', '', 'Link', '../../../../etc/passwd'),
          entry('log/pods/device', '', 'CharacterDevice'),
          entry('log/containers/link', '', 'SymbolicLink', '/var/log/pods/x'),
          // Log files of services, without a journal.
          entry('log/containerd.log', 'its own file\n'),
          entry('log/pods/shop_web_1/app/1.log', 'another\n'),
          Buffer.alloc(1024),
        ]),
      );
      const before = [...filesOf(server.dataDirectory).keys()];
      const logs = await logsOf(server, 'hostile');
      const node = 'hostile-control-plane';
      expect([...logs.keys()]).toEqual([
        `${node}/container.json`,
        `${node}/serial.log`,
        `${node}/pods/shop_web_1/app/0.log`,
        `${node}/containerd.log`,
        `${node}/pods/shop_web_1/app/1.log`,
        `${node}/kubelet.log`,
        `${node}/journal.log`,
        `${node}/images.log`,
        'not-collected.txt',
      ]);
      expect(logs.get(`${node}/pods/shop_web_1/app/1.log`)).toBe('another\n');
      expect(logs.get('not-collected.txt')).toBe(
        `${node}: 5 links and other entries of /var/log that are not regular files\n`,
      );
      expect([...filesOf(server.dataDirectory).keys()]).toEqual(before);
    });
  });

  it('truncates an endless container log', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'hostile');
      const { logs, world } = server.machine.engine('docker');
      const [node] = world.nodesOf('hostile');
      logs.add('hostile-control-plane', { id: node?.id ?? '', raw: endless(), running: true });
      const found = await logsOf(server, 'hostile');
      const serial = found.get('hostile-control-plane/serial.log') ?? '';
      expect(serial.length).toBeGreaterThan(1_000_000);
      expect(serial.length).toBeLessThan(30_000_000);
      expect(found.get('not-collected.txt')).toContain(
        'hostile-control-plane/serial.log: the rest, after 20 MB',
      );
    });
  });

  it('returns the files before the broken or excess part of an archive', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'hostile');
      const { folders } = server.machine.engine('docker');
      const complete = entry('log/pods/a/0.log', 'a line\n');
      for (const [archive, reason] of [
        [
          Buffer.concat([complete, entry('log/pods/b/0.log', 'x'.repeat(5000)).subarray(0, 2000)]),
          /files of \/var\/log: .+/,
        ],
        [
          Buffer.concat([complete, ...Array<Buffer>(20_001).fill(entry('log/pods/e'))]),
          /more than 20000 files/,
        ],
      ] as const) {
        folders.set('/var/log', archive);
        const logs = await logsOf(server, 'hostile');
        expect(logs.get('hostile-control-plane/pods/a/0.log')).toBe('a line\n');
        expect(logs.get('not-collected.txt')).toMatch(reason);
      }
    });
  });
});
