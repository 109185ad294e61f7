import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AppliedDto } from '../../backend/src/modules/resource-changes/apply/apply.dto.js';
import { TEMPLATES } from '../../frontend/src/dashboard/apply/templates.js';
import { createCluster } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('the templates of the editor', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'staging', { workers: 0 });
  });

  afterAll(() => app.stop());

  it.each(TEMPLATES)('$kind can be applied as it is', async ({ kind, yaml }) => {
    const body = { yaml, dry_run: true };
    const answer = await app.client.send('POST', '/api/v1/clusters/staging/resources/apply', { body });
    const { documents } = answer.body as AppliedDto;
    expect(documents.map(({ outcome }) => outcome)).toEqual(documents.map(() => 'created'));
    expect(documents.map((document) => document.kind).join(' and ')).toContain(kind);
  });
});
