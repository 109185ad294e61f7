import { describe, expect, it } from '@jest/globals';
import type { AlertDto } from '../../shared/api/api-types';
import { aFiring, anAlert } from '../../shared/testing/alert-records';
import {
  channelsLabel,
  deliveryLabel,
  firingMessage,
  plainText,
  ruleSummary,
  sourcesSummary,
  spanLabel,
} from './alert-messages';

describe('alert messages', () => {
  it.each([
    [1, '1 second'],
    [60, '1 minute'],
    [90, '90 seconds'],
    [300, '5 minutes'],
    [7200, '2 hours'],
  ])('writes %d s as %s', (seconds, words) => {
    expect(spanLabel(seconds)).toBe(words);
  });

  it('names the condition, the sources and the channels', () => {
    expect(ruleSummary(anAlert())).toBe('10 lines with “timeout” within 1 minute');
    const query: AlertDto['query'] = {
      text: null,
      regex: false,
      case: false,
      without: ['health'],
      level: ['warn', 'error', 'none'],
      field: ['status:504'],
      without_field: ['method:GET'],
    };
    expect(ruleSummary(anAlert({ query, threshold: 1000, window_seconds: 5 }))).toBe(
      '1,000 lines of level warn, error, or unknown, status = 504, method ≠ GET, without “health” within 5 seconds',
    );
    expect(sourcesSummary(anAlert())).toBe('All sources');
    expect(sourcesSummary(anAlert({ sources: { cluster: 'a', name: 'web-*' } }))).toBe('a / web-*');
    const webhook = { url: 'https://chat.example.org/hooks/T0', form: 'slipway', has_secret: true } as const;
    expect(channelsLabel(anAlert({ webhook }))).toBe('log board pages and chat.example.org, signed');
    const chat = { ...webhook, form: 'slack', has_secret: false } as const;
    expect(channelsLabel(anAlert({ browser: false, webhook: chat }))).toBe(
      'chat.example.org (Slack, Mattermost)',
    );
    expect(channelsLabel(anAlert({ browser: false }))).toContain('no one');
  });

  it.each([
    [{ state: 'none', attempts: 0, error: null }, ''],
    [{ state: 'waiting', attempts: 0, error: null }, 'Webhook pending'],
    [
      { state: 'waiting', attempts: 2, error: 'The webhook returned 500.' },
      'Webhook pending, 2 attempts failed: The webhook returned 500.',
    ],
    [{ state: 'delivered', attempts: 1, error: null }, 'Webhook delivered'],
    [{ state: 'delivered', attempts: 3, error: null }, 'Webhook delivered at attempt 3'],
    [
      { state: 'failed', attempts: 8, error: 'The webhook returned 500.' },
      'Webhook failed after 8 attempts: The webhook returned 500.',
    ],
  ] as const)('names the delivery state %j', (webhook, words) => {
    expect(deliveryLabel(aFiring({ webhook: { ...webhook, status: null } }))).toBe(words);
  });

  it('shows a line without control characters', () => {
    const sample = aFiring().sample;
    const text = '\u001b]0;title\u0007\u001b[31mred\u001b[0m\u0000 \u202eend\u001b]52;c;eA==\u001b\\';
    expect(plainText(text)).toBe('red   end');
    expect(plainText('\u001b]0;the rest')).toBe('0;the rest');
    expect(plainText('x'.repeat(1000))).toHaveLength(302);
    expect(firingMessage(aFiring({ sample: sample && { ...sample, text } }))).toBe(
      '12 lines matched. Latest: red   end',
    );
    expect(firingMessage(aFiring({ test: true, sample: null }))).toBe('This is a test.');
  });
});
