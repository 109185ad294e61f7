import { provideHttpClient } from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { expect, it } from '@jest/globals';
import { Api } from '../../shared/api/api';
import { ExportLines } from '../../shared/search/export-lines';
import { EMPTY_QUERY } from '../../shared/search/log-query';
import { StoredLogsApi } from './stored-logs-api';

it('StoredLogsApi reads and downloads stored lines by the routes of the dashboard', () => {
  const own = [{ provide: Api, useClass: StoredLogsApi }, ExportLines];
  TestBed.configureTestingModule({ providers: [provideHttpClient(), provideHttpClientTesting(), ...own] });
  const http = TestBed.inject(HttpTestingController);
  void TestBed.inject(Api).get('/api/sources');
  void TestBed.inject(Api).get('/api/v1/clusters');
  void TestBed.inject(ExportLines).save(EMPTY_QUERY, [7], { format: 'text', gzip: false });
  const urls = http.match(() => true).map(({ request }) => request.urlWithParams);
  expect(urls).toEqual([
    '/api/v1/logs/sources',
    '/api/v1/clusters',
    '/api/v1/logs/export?sources=7&format=text&gzip=false',
  ]);
});
