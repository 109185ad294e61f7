import { APP_INTERCEPTOR } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../../../test/support/app/api-client.js';
import { DeclaredFields } from '../../core/api/index.js';
import { NodeLogsService } from './node-logs/node-logs.service.js';
import { CreationService } from './creation/creation.service.js';
import { DeletionService } from './deletion/deletion.service.js';
import { ClustersController } from './clusters.controller.js';
import { ClustersService } from './inventory/clusters.service.js';

describe('DELETE /clusters/{name}', () => {
  let app: NestExpressApplication | undefined;

  afterEach(() => app?.close());

  async function answerTo(result: object): Promise<ApiClient> {
    const unused = { useValue: {} };
    const testing = await Test.createTestingModule({
      controllers: [ClustersController],
      providers: [
        { provide: APP_INTERCEPTOR, useClass: DeclaredFields },
        { provide: ClustersService, ...unused },
        { provide: CreationService, ...unused },
        { provide: DeletionService, useValue: { delete: () => Promise.resolve(result) } },
        { provide: NodeLogsService, ...unused },
      ],
    }).compile();
    app = testing.createNestApplication<NestExpressApplication>();
    await app.listen(0, '127.0.0.1');
    return new ApiClient((app.getHttpServer().address() as { port: number }).port);
  }

  it('responds 202 with the job if the deletion takes longer than 30 s', async () => {
    const client = await answerTo({ job: { id: 13, cluster: 'slow' }, removed: undefined });
    const answer = await client.send('DELETE', '/clusters/slow');
    expect(answer.status).toBe(202);
    expect(answer.headers.location).toBe('/api/v1/jobs/13');
    expect(answer.body).toEqual({ job_id: 13, cluster: 'slow', status_url: '/api/v1/jobs/13' });
  });

  it('responds 200 with the removed objects and no undeclared fields', async () => {
    const removed = { containers: ['c'], volumes: [], files: ['meta.json'], secret: 'x' };
    const client = await answerTo({ job: { id: 13, cluster: 'done', input: 'x' }, removed });
    const answer = await client.send('DELETE', '/clusters/done');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      cluster: 'done',
      deleted: true,
      removed: { containers: ['c'], volumes: [], files: ['meta.json'] },
      job_id: 13,
    });
  });
});
