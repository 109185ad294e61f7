import { describe, expect, it } from '@jest/globals';
import type { AlertPreviewDto } from '../../shared/api/api-types';
import { EMPTY_DRAFT, proposedName } from './alert-draft';
import { previewText } from './alert-preview';

const NOW = Date.UTC(2026, 10, 22, 12);
const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

describe('previewText', () => {
  const text = (more: Partial<AlertPreviewDto>): string =>
    previewText(
      { fired: 0, lines: 0, last_fired_at: null, since: ago(24 * 60), reason: 'complete', ...more },
      NOW,
    );

  it('says how often an alert would have fired', () => {
    expect(text({})).toBe('Would not have fired in the last 24 hours (0 lines).');
    expect(text({ fired: 1, lines: 9, last_fired_at: ago(5) })).toBe(
      'Would have fired once in the last 24 hours, last 5 min ago (9 lines).',
    );
    expect(text({ fired: 3, lines: 1 })).toContain('Would have fired 3 times in the last 24 hours (1 line).');
  });

  it('says what it does not know', () => {
    expect(text({ since: ago(60) })).toMatch(
      /fired in the last 1 h \(0 lines\)\. Earlier lines are not stored\.$/,
    );
    expect(text({ since: ago(60), reason: 'limit' })).toMatch(/too many lines to check earlier ones\.$/);
    expect(text({ since: ago(60), reason: 'timeout' })).toMatch(/could not be searched in time\.$/);
    expect(text({ since: null, reason: 'timeout' })).toMatch(
      /unknown: the search in the history took too long/,
    );
  });
});

describe('proposedName', () => {
  const name = (query: object, sources: object = {}): string =>
    proposedName({
      ...EMPTY_DRAFT,
      query: { ...EMPTY_DRAFT.query, ...query },
      sources: { ...EMPTY_DRAFT.sources, ...sources },
    });

  it('names what matches, and where', () => {
    expect(name({})).toBe('Any line');
    expect(name({ query: 'timeout -healthz status>=500' })).toBe('Timeout -healthz status>=500');
    expect(name({ text: 'timeout', query: 'scope:apps' })).toBe('Timeout in apps');
    expect(name({ query: 'scope:system status>=500' })).toBe('Status>=500 in system');
    expect(name({ level: ['error', 'fatal'] }, { cluster: 'dev', workload: 'Deployment/api' })).toBe(
      'Error, fatal in api',
    );
    expect(name({ text: 'time.*out', regex: true, without: 'a\nb' })).toBe('/time.*out/ -a -b');
    expect(name({ text: 'x'.repeat(200) })).toHaveLength(80);
  });
});
