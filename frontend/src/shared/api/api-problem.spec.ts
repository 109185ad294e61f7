import { describe, expect, it } from '@jest/globals';
import { HttpErrorResponse, provideHttpClient, withInterceptors } from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { Api } from './api';
import { ApiProblem, apiProblems } from './api-problem';

const BODY = {
  statusCode: 409,
  error: 'Conflict',
  message: 'staging is being created by job 12.',
  code: 'cluster_busy',
  details: { job_id: 12 },
  request_id: 'abc',
};

function setUp(): { api: Api; http: HttpTestingController } {
  TestBed.configureTestingModule({
    providers: [provideHttpClient(withInterceptors([apiProblems])), provideHttpClientTesting()],
  });
  return { api: TestBed.inject(Api), http: TestBed.inject(HttpTestingController) };
}

async function problemOf(call: Promise<unknown>): Promise<ApiProblem> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
  throw new Error('The call did not fail.');
}

describe('ApiProblem', () => {
  it('reads code, message, details and request id of an error body', async () => {
    const { api, http } = setUp();
    const call = problemOf(api.send('POST /api/v1/clusters', {}, { name: 'staging' }));
    http.expectOne('/api/v1/clusters').flush(BODY, { status: 409, statusText: 'Conflict' });
    const problem = await call;
    expect(problem).toMatchObject({
      code: 'cluster_busy',
      message: BODY.message,
      status: 409,
      requestId: 'abc',
    });
    expect(problem.jobId).toBe(12);
    expect(problem.fields).toEqual([]);
  });

  it('reads an error body sent as text', async () => {
    const { api, http } = setUp();
    const call = problemOf(
      api.text('/api/v1/clusters/{name}/kubeconfig', { name: 'staging', runtime: 'docker' }),
    );
    http
      .expectOne('/api/v1/clusters/staging/kubeconfig?runtime=docker')
      .flush(JSON.stringify(BODY), { status: 409, statusText: 'Conflict' });
    expect((await call).code).toBe('cluster_busy');
  });

  it('reports an unreachable server', async () => {
    const { api, http } = setUp();
    const call = problemOf(api.get('/api/v1/clusters'));
    http.expectOne('/api/v1/clusters').error(new ProgressEvent('error'));
    expect(await call).toMatchObject({ code: 'offline', status: 0 });
  });

  it('rejects the page of another server', () => {
    const problem = ApiProblem.of(new HttpErrorResponse({ status: 502, error: '<h1>Bad gateway</h1>' }));
    expect(problem).toMatchObject({ code: 'unreadable', status: 502 });
  });

  it('keeps field errors and drops invalid ones', () => {
    const details = [{ field: 'name', problem: 'must be text' }, { job_id: 4 }, null, 'text'];
    const problem = new ApiProblem('invalid_input', 'No.', 400, details);
    expect(problem.fields).toEqual([{ field: 'name', problem: 'must be text' }]);
    expect(problem.jobId).toBeNull();
  });

  it('keeps an ApiProblem and wraps other errors', () => {
    const problem = new ApiProblem('job_not_found', 'Gone.', 404);
    expect(ApiProblem.of(problem)).toBe(problem);
    expect(ApiProblem.of(new Error('odd'))).toMatchObject({ code: 'internal', message: 'odd' });
    expect(ApiProblem.of('odd').message).toBe('odd');
  });
});
