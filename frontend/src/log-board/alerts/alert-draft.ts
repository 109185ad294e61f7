import type { AlertDto, SaveAlertDto, WebhookForm } from '../../shared/api/api-types';

/** In the order in which they are offered. */
export const DRAFT_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'none'] as const;
export type DraftLevel = (typeof DRAFT_LEVELS)[number];

/** What the form of an alert holds: texts as they are typed. */
export interface AlertDraft {
  name: string;
  enabled: boolean;
  text: string;
  regex: boolean;
  case: boolean;
  level: readonly DraftLevel[];
  /** One a line. */
  without: string;
  /** One a line, `name:value`. */
  field: string;
  /** One a line, `name:value`. */
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
  /** What is sent there. */
  form: WebhookForm;
  secret: string;
  /** There is one, which nobody is shown. */
  hasSecret: boolean;
  /** It is to be removed. */
  dropSecret: boolean;
}

const EMPTY: AlertDraft = {
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

/** The form of an alert that is there. */
export function draftOf({ query, sources, webhook, ...alert }: AlertDto): AlertDraft {
  return {
    ...EMPTY,
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

/** A new one, from the query of a search: its parameters have the names of the API's. */
export function draftOfSearch(query: URLSearchParams): AlertDraft {
  const wanted = query.getAll('level').flatMap((level) => level.split(','));
  return {
    ...EMPTY,
    text: query.get('q') ?? '',
    regex: query.get('regex') === 'true',
    case: query.get('case') === 'true',
    level: DRAFT_LEVELS.filter((level) => wanted.includes(level)),
    without: query.getAll('without').join('\n'),
    field: query.getAll('field').join('\n'),
    withoutField: query.getAll('without_field').join('\n'),
  };
}

/** What is asked of the server for it. */
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

/** The same alert, with nothing changed but whether it is at work. */
export function switched(alert: AlertDto, enabled: boolean): SaveAlertDto {
  return requestOf({ ...draftOf(alert), enabled });
}
