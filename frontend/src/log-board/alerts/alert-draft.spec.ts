import { describe, expect, it } from '@jest/globals';
import type { AlertDto } from '../../shared/api/api-types';
import { draftOf, requestOf, secondsOf, switched } from './alert-draft';
import { anAlert } from '../../shared/testing/alert-records';

const ALERT: AlertDto = anAlert({
  query: {
    query: 'status>=500',
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
    expect(requestOf(draftOf(ALERT))).toEqual({
      name: ALERT.name,
      enabled: true,
      query: ALERT.query,
      sources: { runtime: '', cluster: 'payments-*', namespace: '', workload: '', name: 'api' },
      threshold: 10,
      window_seconds: 60,
      quiet_seconds: 300,
      browser: true,
      webhook: { url: 'https://chat.example.org/hook', form: 'discord' },
    });
    expect(switched(ALERT, false)).toEqual({ ...requestOf(draftOf(ALERT)), enabled: false });
  });

  it.each([
    [90, '90s'],
    [300, '5m'],
    [5400, '90m'],
    [7200, '2h'],
    [172_800, '2d'],
  ])('shows %d s as %s', (seconds, text) => {
    const draft = draftOf({ ...ALERT, window_seconds: seconds });
    expect(draft.window_seconds).toBe(text);
    expect(requestOf(draft).window_seconds).toBe(seconds);
  });

  it.each([
    ['45', 45],
    [' 1 h ', 3600],
    ['', NaN],
    ['1.5h', NaN],
    ['soon', NaN],
  ])('reads "%s" as %d s', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds);
  });

  it('sends a new secret, or null to remove it', () => {
    const draft = draftOf(ALERT);
    expect(
      requestOf({ ...draft, webhook: { ...draft.webhook, secret: 'known to both' } }).webhook?.secret,
    ).toBe('known to both');
    expect(requestOf({ ...draft, dropSecret: true }).webhook).toEqual({
      url: draft.webhook.url,
      form: 'discord',
      secret: null,
    });
    expect(requestOf({ ...draft, hasWebhook: false }).webhook).toBeNull();
  });

  it('reads one text per line, and an empty text as null', () => {
    const draft = draftOf(ALERT);
    const query = { ...draft.query, text: '', without: ' a b \n\n c', field: '' };
    expect(requestOf({ ...draft, query }).query).toMatchObject({
      text: null,
      without: ['a b', 'c'],
      field: [],
    });
  });
});
