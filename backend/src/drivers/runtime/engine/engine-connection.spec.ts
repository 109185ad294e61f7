import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CertificateAuthority } from '../../../../../test/support/engine/certificates.js';
import { CERTIFICATE_FILES, type EngineTls } from '../host/engine-candidate.js';
import { EngineConnection } from './engine-connection.js';

describe('EngineConnection over TLS', () => {
  const authority = CertificateAuthority.create();
  const folder = mkdtempSync(join(tmpdir(), 'engine-tls-'));
  let server: Server;
  let authorized: boolean;

  beforeAll(async () => {
    const own = authority.issue('127.0.0.1');
    const client = authority.issue('client');
    const texts = [authority.certificate, client.certificate, client.key];
    CERTIFICATE_FILES.forEach((file, index) => writeFileSync(join(folder, file), texts[index] ?? ''));
    server = createServer(
      {
        cert: own.certificate,
        key: own.key,
        ca: authority.certificate,
        requestCert: true,
        rejectUnauthorized: false,
      },
      (request, response) => {
        authorized = 'authorized' in request.socket && request.socket.authorized === true;
        const isFailure = request.url?.includes('/volumes') === true;
        response.writeHead(isFailure ? 500 : 200, { 'content-type': 'application/json' });
        response.end(isFailure ? '{"message":"no space left on device"}' : '"OK"');
      },
    );
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const open = (tls: Partial<EngineTls> | null): Promise<EngineConnection> =>
    EngineConnection.open('docker', {
      type: 'tcp',
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      tls: tls && { certificateFolder: folder, files: CERTIFICATE_FILES, verify: true, ...tls },
    });

  it.each([
    [{}, true],
    [{ verify: false }, true],
    [{ files: ['ca.pem'] }, false],
    [{ files: [], verify: false }, false],
  ])('uses the certificates of %j', async (tls, isKnown) => {
    await (await open(tls)).ping();
    expect(authorized).toBe(isKnown);
  });

  it('says that it does not trust the engine', async () => {
    await expect((await open({ files: [] })).ping()).rejects.toMatchObject({
      code: 'runtime_unavailable',
      message: expect.stringMatching(/the TLS connection failed \(.{0,80}certificate/),
    });
  });

  it('says that plain HTTP fails', async () => {
    await expect((await open(null)).ping()).rejects.toMatchObject({ code: 'runtime_unavailable' });
  });

  it('turns an error response into one with the sentence of the engine', async () => {
    const connection = await open({});
    const call = connection.read((client, abortSignal) => client.listVolumes({ abortSignal }));
    await expect(call).rejects.toMatchObject({
      code: 'engine_failed',
      statusCode: 500,
      message: expect.stringMatching(
        /^docker at 127\.0\.0\.1:\d+ reports an error: no space left on device$/,
      ),
    });
  });
});
