import type { AlertDto, AlertQueryDto, SaveAlertDto, WebhookForm } from '../../shared/api/api-types';

/** The form of an alert: named as in the API, with texts as they are typed. Lists have one entry per line. */
export interface AlertDraft {
  name: string;
  enabled: boolean;
  query: Pick<AlertQueryDto, 'regex' | 'case' | 'level'> & {
    text: string;
    without: string;
    field: string;
    without_field: string;
  };
  sources: { runtime: string; cluster: string; namespace: string; workload: string; name: string };
  threshold: string;
  window_seconds: string;
  quiet_seconds: string;
  browser: boolean;
  hasWebhook: boolean;
  webhook: { url: string; form: WebhookForm; secret: string };
  /** The API does not return it. */
  hasSecret: boolean;
  dropSecret: boolean;
}

export const EMPTY_DRAFT: AlertDraft = {
  name: '',
  enabled: true,
  query: { text: '', regex: false, case: false, level: [], without: '', field: '', without_field: '' },
  sources: { runtime: '', cluster: '', namespace: '', workload: '', name: '' },
  threshold: '1',
  window_seconds: '60',
  quiet_seconds: '300',
  browser: true,
  hasWebhook: false,
  webhook: { url: '', form: 'slipway', secret: '' },
  hasSecret: false,
  dropSecret: false,
};

export function draftOf({ query, sources, webhook, ...alert }: AlertDto): AlertDraft {
  return {
    ...EMPTY_DRAFT,
    name: alert.name,
    enabled: alert.enabled,
    query: {
      ...query,
      text: query.text ?? '',
      without: query.without.join('\n'),
      field: query.field.join('\n'),
      without_field: query.without_field.join('\n'),
    },
    sources: { ...EMPTY_DRAFT.sources, ...sources },
    threshold: String(alert.threshold),
    window_seconds: String(alert.window_seconds),
    quiet_seconds: String(alert.quiet_seconds),
    browser: alert.browser,
    hasWebhook: webhook !== null,
    webhook: { url: webhook?.url ?? '', form: webhook?.form ?? 'slipway', secret: '' },
    hasSecret: webhook?.has_secret ?? false,
  };
}

export function requestOf(draft: AlertDraft): SaveAlertDto {
  const { query, sources, webhook, dropSecret } = draft;
  const { url, form, secret } = webhook;
  return {
    name: draft.name.trim(),
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
    window_seconds: Number(draft.window_seconds),
    quiet_seconds: Number(draft.quiet_seconds),
    browser: draft.browser,
    webhook: draft.hasWebhook
      ? { url: url.trim(), form, ...(secret !== '' ? { secret } : dropSecret ? { secret: null } : {}) }
      : null,
  };
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
