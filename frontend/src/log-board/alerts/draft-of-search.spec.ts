import { describe, expect, it } from '@jest/globals';
import { EMPTY_QUERY } from '../../shared/search/log-query';
import { EMPTY_SELECTION } from '../search-model/source-selection';
import { makeSource } from '../../shared/testing/make-source';
import { draftOfSearch } from './draft-of-search';

const DB = { kind: 'pod', cluster: 'dev', namespace: 'shop', workload: 'StatefulSet/db' } as const;

describe('draftOfSearch', () => {
  it('takes over the conditions of a search', () => {
    const query = {
      ...EMPTY_QUERY,
      text: 'time.*out',
      regex: true,
      levels: ['error', 'none'] as const,
      without: ['healthz', 'ping'],
      fields: [{ name: 'status', value: '504' }],
    };
    expect(draftOfSearch(query, EMPTY_SELECTION, [makeSource({ name: 'redis' })])).toMatchObject({
      name: '',
      query: {
        text: 'time.*out',
        regex: true,
        level: ['error', 'none'],
        without: 'healthz\nping',
        field: 'status:504',
      },
      sources: { runtime: '', cluster: '', name: '' },
    });
  });

  it('limits the alert to a group, or to what single sources share', () => {
    const sources = [
      makeSource({ ...DB, key: 'a', name: 'db-0' }),
      makeSource({ ...DB, key: 'b', name: 'db-1' }),
    ];
    const limits = (groups: object[], keys: string[]): object =>
      draftOfSearch(EMPTY_QUERY, { groups, keys }, sources).sources;
    const shop = { runtime: 'docker', cluster: 'dev', namespace: 'shop' };
    expect(limits([shop], [])).toEqual({ ...shop, workload: '', name: '' });
    expect(limits([], ['a', 'b'])).toEqual({ ...shop, workload: 'StatefulSet/db', name: '' });
    expect(limits([{ runtime: 'docker', container: '*' }], [])).toMatchObject({
      runtime: 'docker',
      name: '',
    });
  });
});
