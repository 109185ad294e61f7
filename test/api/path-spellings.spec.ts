import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from '../support/app/error-response.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

const FOREIGN = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };

describe('spellings of paths', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.stop());

  it.each([
    '/api/v1/clusters',
    '/API/v1/clusters',
    '/api/V1/Clusters',
    '/api/v1/clusters/',
    '/api/v1/clusters#x',
    '/api\\v1\\clusters#x',
    'http://localhost:PORT/api/v1/clusters',
    'HTTP://user@localhost:PORT/API/v1/clusters/#y',
  ])('%s reaches the API, which rejects foreign pages and disables caches', async (spelling) => {
    const path = spelling.replace('PORT', String(app.port));
    const own = await app.client.send('GET', path);
    expect([own.status, own.headers['cache-control']]).toEqual([200, 'no-store']);
    expectError(await app.client.send('GET', path, { headers: FOREIGN }), 403, 'forbidden_origin');
  });

  it.each(['/openapi.json', '/OpenAPI.json/', '/openapi.yaml', '/openapi.yaml#x'])(
    '%s is the API document, which rejects foreign pages',
    async (path) => {
      expect((await app.client.send('GET', path)).status).toBe(200);
      expectError(await app.client.send('GET', path, { headers: FOREIGN }), 403, 'forbidden_origin');
    },
  );

  it.each([
    '//api/v1/clusters',
    '/api//v1/clusters',
    '/./api/v1/clusters',
    '/x/../api/v1/clusters',
    '/%61pi/v1/clusters',
    '/api/v1/%63lusters',
    '/api%2Fv1%2Fclusters',
    '/api\\v1\\clusters',
    '/api;x/v1/clusters',
    '/api/v1/clusters%2F',
  ])('%s is not found', async (path) => {
    expectError(await app.client.send('GET', path), 404, 'route_not_found');
  });
});
