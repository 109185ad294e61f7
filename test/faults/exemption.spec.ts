import { describe, expect, it } from '@jest/globals';
import { expectError } from '../support/app/error-response.js';
import { withServer } from '../support/server/scripted-server.js';
import { waitFor } from '../support/wait-for.js';

const CLUSTERS = '/api/v1/clusters';
const HTML = { headers: { accept: 'text/html' } };

describe('an engine that does not respond at the start', () => {
  it('leaves the exemption open for 5 s, then makes everyone sign in until it responds', async () => {
    await withServer(async (server) => {
      await server.process.kill();
      const engine = server.machine.engine('docker');
      engine.hang();
      await server.launchAgain();
      const { client } = server;
      const answer = await client.send('GET', CLUSTERS);
      expectError(answer, 401, 'looking_for_engines');
      expect(answer.headers['retry-after']).toBe('1');
      const page = await client.send('GET', '/clusters', HTML);
      expect(page.headers.location).toBe('/login?next=%2Fclusters');

      const codeIs = async (code: string | undefined): Promise<boolean> =>
        ((await client.send('GET', CLUSTERS)).body as { code?: string }).code === code;
      await waitFor(() => codeIs('unauthorized'), 'the end of the wait');
      engine.respondAgain();
      await waitFor(() => codeIs(undefined), 'the exemption');
      engine.hang();
      expect((await client.send('GET', CLUSTERS)).status).toBe(200);
    });
  });
});
