import type { JournalListEntryDto, JournalOutcome, JournalRecentData } from '../../shared/api/api-types';
import { formatDay } from '../../shared/format/format';
import { IF_CANCELED } from '../../shared/ui/job-labels';

export const PAGE_SIZES = [30, 50, 100, 200] as const;
const DEFAULT_PAGE_SIZE = 30;

export const OUTCOMES: readonly JournalOutcome[] = [
  'started',
  'succeeded',
  'failed',
  'cancelled',
  'interrupted',
];

const KIND_LABELS: Readonly<Record<string, string>> = {
  'chart-upload': $localize`Chart upload`,
  'chart-repository': $localize`Chart repository`,
  'node-stopped': $localize`Node stopped`,
  'node-started': $localize`Node started`,
  'node-paused': $localize`Node paused`,
  'node-resumed': $localize`Node resumed`,
  'node-removed': $localize`Node removed`,
  'node-out-of-memory': $localize`Node out of memory`,
  'engine-unavailable': $localize`Engine unavailable`,
  'engine-available': $localize`Engine available`,
  'cluster-changed': $localize`Cluster changed outside`,
  'kubeconfig-added': $localize`Kubeconfig added`,
  'kubeconfig-renewed': $localize`Kubeconfig renewed`,
  'kubeconfig-removed': $localize`Kubeconfig removed`,
  'resource-edit': $localize`Resource edited`,
  'resource-apply': $localize`YAML applied`,
  'resource-delete': $localize`Resource deleted`,
  'resource-expose': $localize`Workload exposed`,
  'resource-scale': $localize`Workload scaled`,
  'resource-restart': $localize`Workload restarted`,
  'image-change': $localize`Image changed`,
  'cronjob-run': $localize`CronJob run`,
  'job-suspend': $localize`Job suspended`,
  'job-resume': $localize`Job resumed`,
  'rollout-undo': $localize`Workload rolled back`,
  'rollout-pause': $localize`Rollout paused`,
  'rollout-resume': $localize`Rollout resumed`,
  restore: $localize`Backup restored`,
  'file-list': $localize`Directories listed`,
  'file-read': $localize`File read`,
  'file-download': $localize`File downloaded`,
  'file-upload': $localize`File uploaded`,
  'file-edit': $localize`File edited`,
  'node-cordon': $localize`Node cordoned`,
  'node-uncordon': $localize`Node uncordoned`,
  'pod-restart': $localize`Pod restarted`,
  'secret-reveal': $localize`Secret revealed`,
  'node-logs': $localize`Node logs downloaded`,
  'kubeconfig-download': $localize`Kubeconfig downloaded`,
  'support-bundle': $localize`Support bundle downloaded`,
  'log-export': $localize`Log lines downloaded`,
  'journal-export': $localize`Journal exported`,
  'password-change': $localize`Password changed`,
  'forward-open': $localize`Port-forward opened`,
  'forward-close': $localize`Port-forward closed`,
  'shell-open': $localize`Shell opened`,
  'shell-close': $localize`Shell closed`,
  'session-sign-in': $localize`Sign-in`,
  'session-link': $localize`Sign-in link created`,
  'session-sign-out': $localize`Sign-out`,
  'session-end': $localize`Session ended`,
  'token-create': $localize`Access token created`,
  'token-revoke': $localize`Access token revoked`,
};

/** Families of kinds, by the prefix before the hyphen. */
const FAMILY_LABELS: Readonly<Record<string, string>> = {
  addon: $localize`Addons`,
  chart: $localize`Charts`,
  node: $localize`Nodes`,
  engine: $localize`Engines`,
  kubeconfig: $localize`Kubeconfig`,
  resource: $localize`Resources`,
  forward: $localize`Port-forwards`,
  shell: $localize`Shells`,
  session: $localize`Sessions`,
  token: $localize`Access tokens`,
};

export function kindLabel(kind: string): string {
  const label = FAMILY_LABELS[kind] ?? KIND_LABELS[kind] ?? kind.replaceAll('-', ' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

export interface KindChoices {
  /** Null for kinds without a family. */
  family: string | null;
  kinds: string[];
}

/** Choices of the kind filter, grouped by family. @param seen further kinds, which may be unknown */
export function kindChoices(seen: readonly string[]): KindChoices[] {
  const others: KindChoices = { family: null, kinds: [] };
  const families = Object.keys(FAMILY_LABELS).map((family): KindChoices => ({ family, kinds: [] }));
  for (const kind of new Set([...Object.keys(IF_CANCELED), ...Object.keys(KIND_LABELS), ...seen])) {
    if (kind === '' || Object.hasOwn(FAMILY_LABELS, kind)) continue;
    (families.find(({ family }) => kind.startsWith(`${family}-`)) ?? others).kinds.push(kind);
  }
  return [others, ...families];
}

/** Filter and page of the journal, kept in the URL. */
export const WHOLE_JOURNAL = {
  page: 1,
  size: DEFAULT_PAGE_SIZE as number,
  cluster: '',
  /** Empty for all engines. */
  runtime: '',
  kind: '',
  outcome: '' as JournalOutcome | '',
  text: '',
  actor: '',
  /** First and last day in local time, such as `2026-11-21`. */
  since: '',
  until: '',
};

export type JournalView = typeof WHOLE_JOURNAL;

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

/** The query parameters of a view; null for defaults. */
export function viewParams(view: JournalView): Record<string, string | number | null> {
  const defaults: Readonly<Record<string, unknown>> = { ...WHOLE_JOURNAL };
  return Object.fromEntries(
    Object.entries(view).map(([name, value]) => [name, value === defaults[name] ? null : value]),
  );
}

export type JournalFilter = NonNullable<JournalRecentData['query']>;

export function toFilter({ page, size, ...view }: JournalView): JournalFilter {
  return { limit: size, offset: (page - 1) * size, grouped: true, ...toExport(view) };
}

export function toExport(
  view: Omit<JournalView, 'page' | 'size'>,
): Omit<JournalFilter, 'limit' | 'offset' | 'grouped' | 'group'> {
  const { cluster, runtime, kind, outcome, text, actor, since, until } = view;
  const filter = {
    ...{ cluster, runtime, kind, outcome, text, actor },
    since: since && startOf(since),
    until: until && startOf(until, 1),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

export function isFiltered(view: JournalView): boolean {
  return Object.keys(toExport(view)).length > 0;
}

export function isInverted({ since, until }: JournalView): boolean {
  return since !== '' && until !== '' && since > until;
}

/** Reads a day; empty while the user types the year. */
export function readDay(text: string | null): string {
  const day = matching(text, /^20\d\d-[01]\d-[0-3]\d$/);
  return Number.isNaN(Date.parse(day)) ? '' : day;
}

/** Start of a day in local time, as a timestamp. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** Page numbers of the pager: first, last, current and its neighbors; null for gaps. */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  const wanted = [1, page - 1, page, page + 1, pages].filter((number) => number >= 1 && number <= pages);
  const numbers = [...new Set(wanted)].sort((one, other) => one - other);
  return numbers.flatMap((number, index) => {
    const before = numbers[index - 1] ?? number - 1;
    if (number - before === 1) return [number];
    // Show a single page instead of a gap.
    return number - before === 2 ? [number - 1, number] : [null, number];
  });
}

export interface JournalDay {
  /** The local day, such as `2026-11-21`. */
  key: string;
  title: string;
  entries: JournalListEntryDto[];
}

export function groupByDay(entries: readonly JournalListEntryDto[], now: number): JournalDay[] {
  const days: JournalDay[] = [];
  for (const entry of entries) {
    const at = new Date(entry.time);
    const key = formatDay(at);
    const last = days.at(-1);
    if (last?.key === key) last.entries.push(entry);
    else days.push({ key, title: dayTitle(at, now), entries: [entry] });
  }
  return days;
}

// `Intl` takes 20 ms to begin in Chromium.
const WEEKDAYS =
  $localize`:Separated by spaces:Sunday Monday Tuesday Wednesday Thursday Friday Saturday`.split(' ');
const MONTHS =
  $localize`:Separated by spaces:January February March April May June July August September October November December`.split(
    ' ',
  );

function dayTitle(at: Date, now: number): string {
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  const date = $localize`${at.getDate()}:day: ${MONTHS[at.getMonth()] ?? ''}:month:`;
  const day = $localize`${WEEKDAYS[at.getDay()] ?? ''}:weekday: ${date}:date:`;
  if (at.toDateString() === today.toDateString()) return $localize`Today, ${day}:day:`;
  if (at.toDateString() === yesterday.toDateString()) return $localize`Yesterday, ${day}:day:`;
  return at.getFullYear() === today.getFullYear() ? day : $localize`${date}:date: ${at.getFullYear()}:year:`;
}

function readPage(text: string | null): number {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

function matching(text: string | null, grammar: RegExp): string {
  return text !== null && grammar.test(text) ? text : '';
}
