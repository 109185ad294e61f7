import { SOURCE_SCOPES } from '../../../../backend/src/core/search/index.js';
import type { AlertDto, AlertQueryDto, SaveAlertDto, WebhookForm } from '../../shared/api/api-types';
import { SPAN_SECONDS } from '../../shared/search/log-query';

/** Limit of the API. */
const MAX_NAME = 80;

/**
 * The form of an alert: named as in the API, with texts as they are typed. Lists have one entry per line, durations are
 * such as `90s`, `5m` or `1h`.
 */
export const EMPTY_DRAFT = {
  name: '',
  enabled: true,
  query: {
    query: '',
    text: '',
    regex: false,
    case: false,
    level: [] as Required<AlertQueryDto>['level'],
    without: '',
    field: '',
    without_field: '',
  },
  sources: { runtime: '', cluster: '', namespace: '', workload: '', name: '' },
  threshold: '1',
  window_seconds: '1m',
  quiet_seconds: '5m',
  browser: true,
  hasWebhook: false,
  webhook: { url: '', form: 'slipway' as WebhookForm, secret: '' },
  /** The API does not return it. */
  hasSecret: false,
  dropSecret: false,
};

export type AlertDraft = typeof EMPTY_DRAFT;

export function draftOf({ query, sources, webhook, ...alert }: AlertDto): AlertDraft {
  return {
    ...EMPTY_DRAFT,
    name: alert.name,
    enabled: alert.enabled,
    query: {
      ...query,
      query: query.query ?? '',
      text: query.text ?? '',
      without: query.without.join('\n'),
      field: query.field.join('\n'),
      without_field: query.without_field.join('\n'),
    },
    sources: { ...EMPTY_DRAFT.sources, ...sources },
    threshold: String(alert.threshold),
    window_seconds: durationOf(alert.window_seconds),
    quiet_seconds: durationOf(alert.quiet_seconds),
    browser: alert.browser,
    hasWebhook: webhook !== null,
    webhook: { url: webhook?.url ?? '', form: webhook?.form ?? 'slipway', secret: '' },
    hasSecret: webhook?.has_secret ?? false,
  };
}

/** A duration in the largest unit without a fraction. */
function durationOf(seconds: number): string {
  const [unit, size] = Object.entries(SPAN_SECONDS).find(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}

/** NaN if the text is no duration. A number without a unit is seconds. */
export function secondsOf(text: string): number {
  const [, count, unit] = /^(\d{1,7}) ?([smhd]?)$/.exec(text.trim()) ?? [];
  return Number(count) * SPAN_SECONDS[(unit || 's') as keyof typeof SPAN_SECONDS];
}

/** A name for an alert without one: what matches, and where. */
export function proposedName({ query, sources }: AlertDraft): string {
  const scope = SOURCE_SCOPES.find((each) => query.query.split(' ', 1)[0] === `scope:${each}`);
  const what = [
    query.level.join(', '),
    query.regex && query.text !== '' ? `/${query.text}/` : query.text,
    scope === undefined ? query.query : query.query.slice(`scope:${scope}`.length).trim(),
    ...linesOf(query.field),
    ...[...linesOf(query.without), ...linesOf(query.without_field)].map((text) => `-${text}`),
  ].filter((part) => part.trim() !== '');
  const { name, workload, namespace, cluster, runtime } = sources;
  const where = [name, workload.replace(/^.*\//, ''), namespace, cluster, runtime, scope].find(
    (part) => part !== '',
  );
  const lines = what.length === 0 ? $localize`any line` : what.join(' ');
  const text = where === undefined ? lines : $localize`${lines}:lines: in ${where}:source:`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.slice(0, MAX_NAME).trim();
}

export function requestOf(draft: AlertDraft): SaveAlertDto {
  const { query, sources, webhook, dropSecret } = draft;
  const { url, form, secret } = webhook;
  return {
    name: draft.name.trim() || proposedName(draft),
    enabled: draft.enabled,
    query: {
      ...query,
      text: query.text === '' ? null : query.text,
      without: linesOf(query.without),
      field: linesOf(query.field),
      without_field: linesOf(query.without_field),
    },
    sources: Object.fromEntries(Object.entries(sources).map(([name, text]) => [name, text.trim()])),
    threshold: Number(draft.threshold),
    window_seconds: secondsOf(draft.window_seconds),
    quiet_seconds: secondsOf(draft.quiet_seconds),
    browser: draft.browser,
    webhook: draft.hasWebhook
      ? { url: url.trim(), form, ...(secret !== '' ? { secret } : dropSecret ? { secret: null } : {}) }
      : null,
  };
}

/** When the alert fires, as `POST /api/alerts/preview` takes it. */
export function conditionOf(
  draft: AlertDraft,
): Pick<SaveAlertDto, 'query' | 'sources' | 'threshold' | 'window_seconds' | 'quiet_seconds'> {
  const { query, sources, threshold, window_seconds, quiet_seconds } = requestOf(draft);
  return { query, sources, threshold, window_seconds, quiet_seconds };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function switched(alert: AlertDto, enabled: boolean): SaveAlertDto {
  return requestOf({ ...draftOf(alert), enabled });
}
