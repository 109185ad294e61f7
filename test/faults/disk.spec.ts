import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ErrorResponse } from '../support/app/api-client.js';
import { createCluster, editConfig, savedMeta, withWorker } from '../support/app/clusters.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';

/**
 * Limits the size of files that the server writes (RLIMIT_FSIZE in setrlimit(2)), which fails like a full disk. This does
 * not need root.
 */
function limitFiles({ process: { pid } }: ScriptedServer, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]);
}

describe('a full disk', () => {
  it('rejects a config with storage_unavailable and keeps the old one unchanged', async () => {
    await withServer(async (server) => {
      const { client, dataDirectory } = server;
      await createCluster(client, 'shop');
      const folder = join(dataDirectory, 'clusters', 'shop');
      const files = (): [string, string][] =>
        readdirSync(folder)
          .sort()
          .map((name) => [name, readFileSync(join(folder, name), 'latin1')]);
      const before = files();
      const { text, headers } = await client.send('GET', '/api/v1/clusters/shop/config');
      limitFiles(server, 20);
      const answer = await client.send('PUT', '/api/v1/clusters/shop/config', {
        text: withWorker(text),
        headers: { 'content-type': 'application/yaml', 'if-match': headers.etag ?? '' },
      });
      const { code, message } = answer.body as ErrorResponse;
      expect([answer.status, code]).toEqual([503, 'storage_unavailable']);
      expect(message).toMatch(/^Could not write to the data folder: .*\. Fix this, and try again\.$/);
      expect(files()).toEqual(before);
      expect((await client.send('GET', '/api/v1/clusters/shop/config')).headers.etag).toBe(headers.etag);
      limitFiles(server, 'unlimited');
      await editConfig(client, 'shop', withWorker);
      expect(savedMeta(dataDirectory, 'shop')).toMatchObject({ config_changed: true, workers: 1 });
    });
  });
});
