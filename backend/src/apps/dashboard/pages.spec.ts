import { describe, expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { pages } from './pages.js';
import type { StaticFiles } from './static-files.js';

describe('pages', () => {
  const app = express();
  app.use(pages({ text: () => '<html nonce="__NONCE__"></html>' } as unknown as StaticFiles));
  app.use((_request, response) => {
    response.status(404).json({ code: 'route_not_found' });
  });

  it.each([
    '/clusters',
    '/cluster/staging',
    '/jobs',
    '/jobs/12',
    '/journal',
    '/diagnostics',
    '/documentation',
  ])('are served at %s, also to a program that takes anything', async (path) => {
    for (const accept of ['text/html', '*/*']) {
      const answer = await request(app).get(path).set('accept', accept);
      expect([answer.status, answer.type]).toEqual([200, 'text/html']);
      expect(answer.text).not.toContain('__NONCE__');
    }
  });

  it('lead from the root to the clusters', async () => {
    const answer = await request(app).get('/').set('accept', '*/*');
    expect([answer.status, answer.headers['location']]).toEqual([302, '/clusters']);
  });

  it('say that there is no such page to a browser, and leave programs an error that they can read', async () => {
    const page = await request(app).get('/nowhere').set('accept', 'text/html,*/*;q=0.8');
    expect([page.status, page.type]).toEqual([404, 'text/html']);
    const error = await request(app).get('/nowhere').set('accept', '*/*');
    expect([error.status, error.type]).toEqual([404, 'application/json']);
  });

  it.each(['/api/v1/clusters', '/docs', '/redoc', '/events', '/openapi.json', '/favicon.ico'])(
    'are not served at %s',
    async (path) => {
      const answer = await request(app).get(path).set('accept', 'text/html');
      expect(answer.body).toEqual({ code: 'route_not_found' });
    },
  );

  it('answer no change', async () => {
    const answer = await request(app).post('/clusters').set('accept', 'text/html');
    expect(answer.body).toEqual({ code: 'route_not_found' });
  });
});
