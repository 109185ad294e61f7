import { describe, expect, it } from '@jest/globals';
import type { AlertDto } from '../../shared/api/api-types';
import { draftOf, draftOfSearch, requestOf, switched } from './alert-draft';
import { anAlert } from '../../shared/testing/alert-records';

const EMPTY_QUERY: AlertDto = anAlert({
  query: {
    text: 'time ?out',
    regex: true,
    case: true,
    without: ['health', 'ready'],
    level: ['warn', 'none'],
    field: ['status:504'],
    without_field: ['method:GET'],
  },
  sources: { cluster: 'payments-*', name: 'api' },
  webhook: { url: 'https://chat.example.org/hook', form: 'discord', has_secret: true },
});

describe('AlertDraft', () => {
  it('sends an unchanged alert back without its secret', () => {
    expect(requestOf(draftOf(EMPTY_QUERY))).toEqual({
      name: EMPTY_QUERY.name,
      enabled: true,
      query: EMPTY_QUERY.query,
      sources: { runtime: '', cluster: 'payments-*', namespace: '', workload: '', name: 'api' },
      threshold: 10,
      window_seconds: 60,
      quiet_seconds: 300,
      browser: true,
      webhook: { url: 'https://chat.example.org/hook', form: 'discord' },
    });
    expect(switched(EMPTY_QUERY, false)).toEqual({ ...requestOf(draftOf(EMPTY_QUERY)), enabled: false });
  });

  it('sends a new secret, or null to remove it', () => {
    const draft = draftOf(EMPTY_QUERY);
    expect(requestOf({ ...draft, secret: 'known to both' }).webhook?.secret).toBe('known to both');
    expect(requestOf({ ...draft, dropSecret: true }).webhook).toEqual({
      url: draft.url,
      form: 'discord',
      secret: null,
    });
    expect(requestOf({ ...draft, webhook: false }).webhook).toBeNull();
  });

  it('reads one text per line, and an empty text as null', () => {
    const draft = { ...draftOf(EMPTY_QUERY), text: '', without: ' a b \n\n c', field: '' };
    expect(requestOf(draft).query).toMatchObject({ text: null, without: ['a b', 'c'], field: [] });
  });

  it('takes its values from a search', () => {
    const search = new URLSearchParams(
      'q=timeout&regex=true&level=error,warn,loud&without=a&without=b&field=x:1&without_field=y:2',
    );
    expect(draftOfSearch(search)).toMatchObject({
      text: 'timeout',
      regex: true,
      case: false,
      level: ['warn', 'error'],
      without: 'a\nb',
      field: 'x:1',
      withoutField: 'y:2',
      threshold: '1',
    });
  });
});
