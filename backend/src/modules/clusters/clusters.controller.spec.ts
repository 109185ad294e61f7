import { APP_INTERCEPTOR } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../../../test/support/app/api-client.js';
import { OpenAccess } from '../../../../test/support/app/open-access.js';
import { ResponseSerializer } from '../../core/api/index.js';
import { AccessGuard, AccessPolicy } from '../../core/security/index.js';
import { NodeLogsService } from './node-logs.service.js';
import { ClusterCheckService } from './cluster-check.service.js';
import { ClustersController } from './clusters.controller.js';
import { ClustersService } from './clusters.service.js';

describe('a deletion', () => {
  let app: NestExpressApplication | undefined;

  afterEach(() => app?.close());

  async function answerTo(result: object): Promise<ApiClient> {
    const unused = { useValue: {} };
    const testing = await Test.createTestingModule({
      controllers: [ClustersController],
      providers: [
        AccessGuard,
        { provide: AccessPolicy, useClass: OpenAccess },
        { provide: APP_INTERCEPTOR, useClass: ResponseSerializer },
        { provide: ClustersService, useValue: { delete: () => Promise.resolve(result) } },
        { provide: ClusterCheckService, ...unused },
        { provide: NodeLogsService, ...unused },
      ],
    }).compile();
    app = testing.createNestApplication<NestExpressApplication>();
    await app.listen(0, '127.0.0.1');
    return new ApiClient((app.getHttpServer().address() as { port: number }).port);
  }

  it('that takes longer than half a minute answers 202 with its job', async () => {
    const client = await answerTo({ finished: false, job: { id: 13, cluster: 'slow' } });
    const answer = await client.send('DELETE', '/clusters/slow');
    expect(answer.status).toBe(202);
    expect(answer.headers.location).toBe('/api/v1/jobs/13');
    expect(answer.body).toEqual({ job_id: 13, cluster: 'slow', status_url: '/api/v1/jobs/13' });
  });

  it('that is done answers 200 with what was removed, and nothing that is not declared', async () => {
    const removed = { containers: ['c'], volumes: [], files: ['meta.json'], secret: 'x' };
    const client = await answerTo({ finished: true, job: { id: 13, cluster: 'done', input: 'x' }, removed });
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
