import type { JournalFilter } from '../../shared/api/api';
import type { JournalEntryDto, JournalOutcome } from '../../shared/api/api-types';
import { JOB_LABELS } from '../../shared/ui/job-labels';

export const PAGE_SIZES = [30, 50, 100, 200] as const;
export const DEFAULT_PAGE_SIZE = 30;

export const OUTCOMES: readonly JournalOutcome[] = [
  'started',
  'succeeded',
  'failed',
  'cancelled',
  'interrupted',
];

const jobKinds = Object.fromEntries(Object.entries(JOB_LABELS).map(([kind, { verb }]) => [kind, verb]));

/** The kinds that there are, in words; what a later version adds is shown by its own name. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  ...jobKinds,
  'addon-install': 'Addon install',
  'addon-upgrade': 'Addon upgrade',
  'addon-rollback': 'Addon rollback',
  'addon-uninstall': 'Addon uninstall',
  'chart-upload': 'Chart upload',
  'chart-repository': 'Chart repository',
  'node-stopped': 'Node stopped',
  'node-started': 'Node started',
  'node-paused': 'Node paused',
  'node-resumed': 'Node resumed',
  'node-removed': 'Node removed',
  'kubeconfig-added': 'Kubeconfig added',
  'kubeconfig-renewed': 'Kubeconfig renewed',
  'kubeconfig-removed': 'Kubeconfig removed',
  'resource-edit': 'Resource edited',
  'resource-apply': 'YAML applied',
  'resource-delete': 'Resource deleted',
  'resource-scale': 'Workload scaled',
  'resource-restart': 'Workload restarted',
  'node-cordon': 'Node cordoned',
  'node-uncordon': 'Node uncordoned',
  'pod-restart': 'Pod restarted',
  'secret-reveal': 'Secret revealed',
  'node-logs': 'Node logs downloaded',
  'kubeconfig-download': 'Kubeconfig downloaded',
  'support-bundle': 'Support bundle downloaded',
  'log-export': 'Log lines downloaded',
  'journal-export': 'Journal exported',
  'password-change': 'Password changed',
  'forward-open': 'Port-forward opened',
  'forward-close': 'Port-forward closed',
  'session-sign-in': 'Sign-in',
  'session-sign-out': 'Sign-out',
  'session-end': 'Session ended',
  'token-create': 'Access token created',
  'token-revoke': 'Access token revoked',
};

/** Kinds that one looks for together: what begins with the word before their hyphen. */
const FAMILY_WORDS: Readonly<Record<string, string>> = {
  addon: 'Addons',
  chart: 'Charts',
  node: 'Nodes',
  kubeconfig: 'Kubeconfig',
  resource: 'Resources',
  forward: 'Port-forwards',
  session: 'Sessions',
  token: 'Access tokens',
};

/** A kind, or all of a family, in words. */
export function kindLabels(kind: string): string {
  const words = FAMILY_WORDS[kind] ?? KIND_WORDS[kind] ?? kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface KindChoices {
  /** What chooses all of them, or null for kinds that have nothing in common. */
  family: string | null;
  kinds: string[];
}

/** The kinds to choose from: those of a family stand together. @param seen kinds that may not be known here */
export function kindChoices(seen: readonly string[]): KindChoices[] {
  const alone: KindChoices = { family: null, kinds: [] };
  const families = Object.keys(FAMILY_WORDS).map((family): KindChoices => ({ family, kinds: [] }));
  for (const kind of new Set([...Object.keys(KIND_WORDS), ...seen])) {
    if (kind === '' || Object.hasOwn(FAMILY_WORDS, kind)) continue;
    (families.find(({ family }) => kind.startsWith(`${family}-`)) ?? alone).kinds.push(kind);
  }
  return [alone, ...families];
}

/** What the journal shows: kept in the address, so that it can be linked, reloaded and gone back to. */
export interface JournalView {
  page: number;
  size: number;
  cluster: string;
  /** Tells two clusters of one name apart; empty for both. */
  runtime: string;
  kind: string;
  outcome: JournalOutcome | '';
  text: string;
  actor: string;
  /** The first and the last day, such as `2026-11-21`, where the reader is. */
  since: string;
  until: string;
}

export const WHOLE_JOURNAL: JournalView = {
  page: 1,
  size: DEFAULT_PAGE_SIZE,
  cluster: '',
  runtime: '',
  kind: '',
  outcome: '',
  text: '',
  actor: '',
  since: '',
  until: '',
};

/** Reads an address; what it holds that makes no sense is left out rather than sent. */
export function readView(read: (name: string) => string | null): JournalView {
  const size = Number(read('size'));
  const outcome = read('outcome');
  return {
    page: readPage(read('page')),
    size: PAGE_SIZES.find((known) => known === size) ?? DEFAULT_PAGE_SIZE,
    cluster: matching(read('cluster'), /^[a-z0-9.-]{1,200}$/),
    runtime: matching(read('runtime'), /^[a-z]{1,20}$/),
    kind: matching(read('kind'), /^[a-z][a-z-]{0,40}$/),
    outcome: OUTCOMES.find((known) => known === outcome) ?? '',
    text: (read('text') ?? '').slice(0, 200),
    actor: (read('actor') ?? '').slice(0, 100),
    since: readDay(read('since')),
    until: readDay(read('until')),
  };
}

/** The address of a view; null for what is as it is without being asked for. */
export function viewParams(view: JournalView): Record<string, string | number | null> {
  return {
    page: view.page > 1 ? view.page : null,
    size: view.size === DEFAULT_PAGE_SIZE ? null : view.size,
    cluster: view.cluster || null,
    runtime: view.runtime || null,
    kind: view.kind || null,
    outcome: view.outcome || null,
    text: view.text || null,
    actor: view.actor || null,
    since: view.since || null,
    until: view.until || null,
  };
}

export function toFilter({ page, size, ...view }: JournalView): JournalFilter {
  return { limit: size, offset: (page - 1) * size, ...toExport(view) };
}

/** The same without its pages. */
export function toExport(view: Omit<JournalView, 'page' | 'size'>): Omit<JournalFilter, 'limit' | 'offset'> {
  const { cluster, runtime, kind, outcome, text, actor, since, until } = view;
  return {
    ...(cluster && { cluster }),
    ...(runtime && { runtime }),
    ...(kind && { kind }),
    ...(outcome && { outcome }),
    ...(text && { text }),
    ...(actor && { actor }),
    ...(since && { since: startOf(since) }),
    ...(until && { until: startOf(until, 1) }),
  };
}

export function isFiltered(view: JournalView): boolean {
  return Object.keys(toExport(view)).length > 0;
}

/** Whether the last day is before the first: nothing can be found then. */
export function isInverted({ since, until }: JournalView): boolean {
  return since !== '' && until !== '' && since > until;
}

/** A day as a field of a form gives it; while one types its year, it is none yet. */
export function readDay(text: string | null): string {
  const day = matching(text, /^20\d\d-[01]\d-[0-3]\d$/);
  return Number.isNaN(Date.parse(day)) ? '' : day;
}

/** When a day, or one after it, begins where the reader is. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** Numbers for the pager: the ends, the current page and its neighbors; null where pages are left out. */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  const wanted = [1, page - 1, page, page + 1, pages].filter((number) => number >= 1 && number <= pages);
  const numbers = [...new Set(wanted)].sort((one, other) => one - other);
  return numbers.flatMap((number, index) => {
    const before = numbers[index - 1] ?? number - 1;
    if (number - before === 1) return [number];
    // A gap of one page is as wide as its number.
    return number - before === 2 ? [number - 1, number] : [null, number];
  });
}

export interface JournalDay {
  /** `2026-11-21` in the reader's zone. */
  key: string;
  title: string;
  entries: JournalEntryDto[];
}

/** Entries, newest first, under the day on which they happened where the reader is. */
export function groupByDay(entries: readonly JournalEntryDto[], now: number): JournalDay[] {
  const days: JournalDay[] = [];
  for (const entry of entries) {
    const at = new Date(entry.time);
    const key = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
    const last = days.at(-1);
    if (last?.key === key) last.entries.push(entry);
    else days.push({ key, title: dayTitle(at, now), entries: [entry] });
  }
  return days;
}

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

function dayTitle(at: Date, now: number): string {
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (at.toDateString() === today.toDateString()) return `Today, ${DAY.format(at)}`;
  if (at.toDateString() === yesterday.toDateString()) return `Yesterday, ${DAY.format(at)}`;
  return at.getFullYear() === today.getFullYear() ? DAY.format(at) : DAY_OF_YEAR.format(at);
}

function readPage(text: string | null): number {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

function matching(text: string | null, grammar: RegExp): string {
  return text !== null && grammar.test(text) ? text : '';
}
