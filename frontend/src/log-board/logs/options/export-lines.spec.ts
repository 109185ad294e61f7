import { HttpEventType, provideHttpClient, withInterceptors } from '@angular/common/http';
import {
  HttpTestingController,
  provideHttpClientTesting,
  type TestRequest,
} from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { apiProblems } from '../../../shared/api/api-problem';
import { WHOLE } from '../query/log-query';
import { ExportLines } from './export-lines';

describe('a download', () => {
  let http: HttpTestingController;

  beforeEach(() => {
    TestBed.configureTestingModule({
      providers: [provideHttpClient(withInterceptors([apiProblems])), provideHttpClientTesting()],
    });
    http = TestBed.inject(HttpTestingController);
  });

  function begin(): { saved: Promise<void>; request: TestRequest } {
    const saved = TestBed.inject(ExportLines).save(WHOLE, [7], { format: 'text', gzip: false });
    const request = http.expectOne(({ url }) => url === '/api/export');
    expect(request.request.params.get('sources')).toBe('7');
    return { saved, request };
  }

  it('that breaks off is no file, and says so', async () => {
    const { saved, request } = begin();
    request.event({ type: HttpEventType.DownloadProgress, loaded: 100_000 });
    request.error(new ProgressEvent('error'));
    await expect(saved).rejects.toMatchObject({
      message: expect.stringMatching(/^The download was incomplete/),
    });
  });

  it('that never began is what it is everywhere', async () => {
    const { saved, request } = begin();
    request.error(new ProgressEvent('error'));
    await expect(saved).rejects.toMatchObject({ code: 'offline' });
  });

  it('that is refused says why', async () => {
    const { saved, request } = begin();
    const body = {
      statusCode: 422,
      error: 'Unprocessable Entity',
      message: 'The expression took too long.',
      code: 'search_timeout',
      details: null,
      request_id: 'x',
    };
    // The browser's own; this one has no text of its own.
    const blob = Object.assign(new Blob(), { text: () => Promise.resolve(JSON.stringify(body)) });
    request.flush(blob, { status: 422, statusText: 'Unprocessable Entity' });
    await expect(saved).rejects.toMatchObject({
      code: 'search_timeout',
      message: 'The expression took too long.',
    });
  });
});
