import { HttpEventType, provideHttpClient, withInterceptors } from '@angular/common/http';
import {
  HttpTestingController,
  provideHttpClientTesting,
  type TestRequest,
} from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { apiProblems } from '../api/api-problem';
import { EMPTY_QUERY } from './log-query';
import { ExportLines } from './export-lines';

describe('ExportLines', () => {
  let http: HttpTestingController;

  beforeEach(() => {
    TestBed.configureTestingModule({
      providers: [provideHttpClient(withInterceptors([apiProblems])), provideHttpClientTesting()],
    });
    http = TestBed.inject(HttpTestingController);
  });

  function begin(): { saved: Promise<void>; request: TestRequest } {
    const saved = TestBed.inject(ExportLines).save(EMPTY_QUERY, [7], { format: 'text', gzip: false });
    const request = http.expectOne('/api/export?sources=7&format=text&gzip=false');
    return { saved, request };
  }

  it('reports an incomplete download and saves no file', async () => {
    const { saved, request } = begin();
    request.event({ type: HttpEventType.DownloadProgress, loaded: 100_000 });
    request.error(new ProgressEvent('error'));
    await expect(saved).rejects.toMatchObject({
      message: expect.stringMatching(/^The download was incomplete/),
    });
  });

  it('reports an unreachable server like other calls', async () => {
    const { saved, request } = begin();
    request.error(new ProgressEvent('error'));
    await expect(saved).rejects.toMatchObject({ code: 'offline' });
  });

  it('reports why the server refused the download', async () => {
    const { saved, request } = begin();
    const body = {
      statusCode: 422,
      error: 'Unprocessable Entity',
      message: 'The search timed out.',
      code: 'search_timeout',
      details: null,
      request_id: 'x',
    };
    // The browser's Blob; that of jsdom has no `text`.
    const blob = Object.assign(new Blob(), { text: () => Promise.resolve(JSON.stringify(body)) });
    request.flush(blob, { status: 422, statusText: 'Unprocessable Entity' });
    await expect(saved).rejects.toMatchObject({
      code: 'search_timeout',
      message: 'The search timed out.',
    });
  });
});
