import type { AlertDto, SaveAlertDto, WebhookForm } from '../../shared/api/api-types';

export const DRAFT_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'none'] as const;
export type DraftLevel = (typeof DRAFT_LEVELS)[number];

export interface AlertToEdit {
  /** Null for a new alert. */
  alert: AlertDto | null;
  /** Values of a new alert. */
  draft?: AlertDraft;
}

/** The values of the form of an alert, as typed. */
export interface AlertDraft {
  name: string;
  enabled: boolean;
  text: string;
  regex: boolean;
  case: boolean;
  level: readonly DraftLevel[];
  /** One per line. */
  without: string;
  /** One per line, `name:value`. */
  field: string;
  /** One per line, `name:value`. */
  withoutField: string;
  runtime: string;
  cluster: string;
  namespace: string;
  workload: string;
  source: string;
  threshold: string;
  window: string;
  quiet: string;
  browser: boolean;
  webhook: boolean;
  url: string;
  form: WebhookForm;
  secret: string;
  /** The API does not return it. */
  hasSecret: boolean;
  dropSecret: boolean;
}

export const EMPTY_DRAFT: AlertDraft = {
  name: '',
  enabled: true,
  text: '',
  regex: false,
  case: false,
  level: [],
  without: '',
  field: '',
  withoutField: '',
  runtime: '',
  cluster: '',
  namespace: '',
  workload: '',
  source: '',
  threshold: '1',
  window: '60',
  quiet: '300',
  browser: true,
  webhook: false,
  url: '',
  form: 'slipway',
  secret: '',
  hasSecret: false,
  dropSecret: false,
};

export function draftOf({ query, sources, webhook, ...alert }: AlertDto): AlertDraft {
  return {
    ...EMPTY_DRAFT,
    name: alert.name,
    enabled: alert.enabled,
    text: query.text ?? '',
    regex: query.regex,
    case: query.case,
    level: query.level,
    without: query.without.join('\n'),
    field: query.field.join('\n'),
    withoutField: query.without_field.join('\n'),
    runtime: sources.runtime ?? '',
    cluster: sources.cluster ?? '',
    namespace: sources.namespace ?? '',
    workload: sources.workload ?? '',
    source: sources.name ?? '',
    threshold: String(alert.threshold),
    window: String(alert.window_seconds),
    quiet: String(alert.quiet_seconds),
    browser: alert.browser,
    webhook: webhook !== null,
    url: webhook?.url ?? '',
    form: webhook?.form ?? 'slipway',
    hasSecret: webhook?.has_secret ?? false,
  };
}

/** A new alert from the query of the logs page, whose parameters have the API's names. */
export function draftOfSearch(query: URLSearchParams): AlertDraft {
  const wanted = query.getAll('level').flatMap((level) => level.split(','));
  return {
    ...EMPTY_DRAFT,
    text: query.get('q') ?? '',
    regex: query.get('regex') === 'true',
    case: query.get('case') === 'true',
    level: DRAFT_LEVELS.filter((level) => wanted.includes(level)),
    without: query.getAll('without').join('\n'),
    field: query.getAll('field').join('\n'),
    withoutField: query.getAll('without_field').join('\n'),
  };
}

export function requestOf(draft: AlertDraft): SaveAlertDto {
  const { url, form, secret, dropSecret } = draft;
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    query: {
      text: draft.text === '' ? null : draft.text,
      regex: draft.regex,
      case: draft.case,
      level: [...draft.level],
      without: linesOf(draft.without),
      field: linesOf(draft.field),
      without_field: linesOf(draft.withoutField),
    },
    sources: {
      runtime: draft.runtime.trim(),
      cluster: draft.cluster.trim(),
      namespace: draft.namespace.trim(),
      workload: draft.workload.trim(),
      name: draft.source.trim(),
    },
    threshold: Number(draft.threshold),
    window_seconds: Number(draft.window),
    quiet_seconds: Number(draft.quiet),
    browser: draft.browser,
    webhook: draft.webhook
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

/** The request that enables or disables an alert. */
export function switched(alert: AlertDto, enabled: boolean): SaveAlertDto {
  return requestOf({ ...draftOf(alert), enabled });
}
