import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { GetResponse } from '../../shared/api/api';
import { ClustersStore } from '../../shared/live/clusters-store';
import { EMPTY_QUERY } from '../../shared/search/log-query';
import { provideApi } from '../../shared/testing/fake-api';
import { makeSource } from '../../shared/testing/make-source';
import { aCluster } from '../../shared/testing/records';
import { PodLogQuery } from './pod-log-query';
import { PodLogReader } from './pod-log-reader';
import { PodLogRows } from './pod-log-rows';
import { StoredLines } from './stored-lines';

type SearchResult = GetResponse<'/api/search'>;

const SOURCE = makeSource({
  key: 'pod/demo/staging/1/web',
  ...{ id: 7, kind: 'pod', runtime: 'demo', cluster: 'staging', namespace: 'shop' },
  ...{ workload: 'Deployment/web', name: 'web-1', first_time: '2026-11-26T09:00:00.000000Z' },
});

const CREATED = '2026-11-26T09:00:00.000Z';
/** Of a deleted cluster of the same name. */
const EARLIER = makeSource({
  ...SOURCE,
  id: 6,
  key: 'pod/demo/staging/0/web',
  last_time: '2026-11-26T08:59:59.999000Z',
});

describe('StoredLines', () => {
  let results: (() => Promise<SearchResult>)[];
  let requests: number;
  let rows: PodLogRows;
  let stored: StoredLines;

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    TestBed.tick();
  };
  const result = (reason: SearchResult['reason'], before: string | null): SearchResult => ({
    ...{ matches: [], matched: 0, searched: 10, searched_to: null, reason, before },
  });

  beforeEach(() => {
    requests = 0;
    rows = new PodLogRows();
    const address = {
      key: { name: 'staging', runtime: 'demo' },
      namespace: 'shop',
      workload: 'Deployment/web',
    };
    const reader = {
      address: signal(address),
      sources: signal(new Map()),
      rows: signal(rows),
      isKnown: signal(true),
      numberOf: () => undefined,
      joined: () => [],
    };
    const query = {
      searched: signal({ ...EMPTY_QUERY, conditions: ['refused'] }),
      isFiltering: signal(true),
    };
    const api = provideApi({
      'GET /api/sources': () => Promise.resolve([EARLIER, SOURCE]),
      'GET /api/search': () => {
        requests += 1;
        return results.shift()?.() ?? Promise.reject(new Error('No result is left.'));
      },
    });
    const providers = [
      api,
      StoredLines,
      { provide: PodLogReader, useValue: reader },
      { provide: PodLogQuery, useValue: query },
      { provide: ClustersStore, useValue: { find: () => aCluster({ created_at: CREATED }) } },
    ];
    TestBed.configureTestingModule({ providers });
  });

  const start = async (...next: typeof results): Promise<void> => {
    results = next;
    stored = TestBed.inject(StoredLines);
    await settle();
    await settle();
  };

  it('has no lines of an earlier cluster of the same name', async () => {
    await start(() => Promise.resolve(result('complete', null)));
    expect(stored.ids()).toEqual([7]);
  });

  it('does not claim that all lines were searched if the search took too long without a match', async () => {
    await start(() => Promise.resolve(result('timeout', null)));
    expect(stored.state()).toBe('timeout');
  });

  it.each([
    ['took too long', () => Promise.resolve(result('timeout', '1.7.1'))],
    ['failed', () => Promise.reject(new Error('failed'))],
  ])('repeats a search that %s only on request', async (_, first) => {
    await start(first, () => Promise.resolve(result('complete', null)));
    rows.history?.wanted();
    await settle();
    expect([stored.state(), requests]).toEqual(['timeout', 1]);
    await stored.loadOlder();
    expect([stored.state(), requests]).toEqual(['complete', 2]);
  });

  it('searches again when the oldest lines were dropped', async () => {
    const complete = (): Promise<SearchResult> => Promise.resolve(result('complete', null));
    await start(complete, complete);
    rows.history?.dropped();
    await settle();
    expect([stored.state(), requests]).toEqual(['complete', 2]);
  });
});
