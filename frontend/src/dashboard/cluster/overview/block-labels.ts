import type { HealthCountsDto, ResourceBlockDto, TableRowDto } from '../../../shared/api/api-types';
import { plural, warningCount } from '../../../shared/format/format';
import { type Cell, cellText, shortAge } from '../../resources/cell-values';

export interface CardRow {
  row: TableRowDto;
  name: string;
  /** Beside the name: the namespace, or the object of an event. */
  beside: string;
  more: readonly string[];
  value: string;
}

/** English has one form of them; other languages have one per category, which the meaning keeps apart. */
const COUNTED = {
  active: (n) => ({ one: $localize`:one|:${n}:n: active`, other: $localize`${n}:n: active` }),
  available: (n) => ({ one: $localize`:one|:${n}:n: available`, other: $localize`${n}:n: available` }),
  bound: (n) => ({ one: $localize`:one|:${n}:n: bound`, other: $localize`${n}:n: bound` }),
  failed: (n) => ({ one: $localize`:one|:${n}:n: failed`, other: $localize`${n}:n: failed` }),
  healthy: (n) => ({ one: $localize`:one|:${n}:n: healthy`, other: $localize`${n}:n: healthy` }),
  inProgress: (n) => ({ one: $localize`:one|:${n}:n: in progress`, other: $localize`${n}:n: in progress` }),
  ready: (n) => ({ one: $localize`:one|:${n}:n: ready`, other: $localize`${n}:n: ready` }),
} satisfies Record<string, Parameters<typeof plural>[1]>;

const READY = { all: $localize`all ready`, some: COUNTED.ready };
const HEALTHY = { all: $localize`all healthy`, some: COUNTED.healthy };
/** Healthy objects of a kind; others are "healthy". */
const HEALTHY_OF_KIND: Readonly<Record<string, typeof HEALTHY>> = {
  pods: READY,
  nodes: READY,
  deployments: { all: $localize`all available`, some: COUNTED.available },
  replicasets: READY,
  statefulsets: READY,
  daemonsets: READY,
  namespaces: { all: $localize`all active`, some: COUNTED.active },
  persistentvolumeclaims: { all: $localize`all bound`, some: COUNTED.bound },
};

/** Summary of the health of a kind: problems first, such as `1 failed, 2 in progress`. */
export function healthSummary({ type, total, health }: ResourceBlockDto): string {
  if (!health || total === 0 || health.none === total) return '';
  if (type.plural === 'events') {
    return health.warning > 0 ? warningCount(health.warning) : $localize`no warnings`;
  }
  const problems = [
    health.failed > 0 ? plural(health.failed, COUNTED.failed) : '',
    health.warning > 0 ? warningCount(health.warning) : '',
    health.progressing > 0 ? plural(health.progressing, COUNTED.inProgress) : '',
  ].filter(Boolean);
  if (problems.length > 0) return problems.join(', ');
  if (health.ended === total) return $localize`all completed`;
  const healthy = HEALTHY_OF_KIND[type.plural] ?? HEALTHY;
  return health.ok + health.ended === total ? healthy.all : plural(health.ok, healthy.some);
}

/** The severity of a kind's problems; null without any. */
export function severityOf({ type, health }: ResourceBlockDto): 'failed' | 'warning' | null {
  if (!health) return null;
  if (health.failed > 0) return 'failed';
  return health.warning > 0 && type.plural !== 'events' ? 'warning' : null;
}

export function healthParts(
  health: HealthCountsDto | null,
): { health: keyof HealthCountsDto; count: number }[] {
  if (!health) return [];
  const order = ['ok', 'ended', 'none', 'progressing', 'warning', 'failed'] as const;
  return order.map((part) => ({ health: part, count: health[part] })).filter(({ count }) => count > 0);
}

export function cardRows(block: ResourceBlockDto, now: number, most: number): CardRow[] {
  const places = new Map(block.columns.map(({ name }, index) => [name, index]));
  return block.rows.slice(0, most).map((row) => {
    const cell = (column: string): Cell | undefined => row.cells[places.get(column) ?? -1];
    const text = (column: string): string => cellText(cell(column));
    const base = { row, name: row.name, beside: row.namespace ?? '', more: [] };
    const age = shortAge(row.created_at, now);
    switch (block.type.plural) {
      case 'pods':
        return {
          ...base,
          beside: '',
          more: [row.namespace ?? '', text('Node')],
          value: podValue(row, text, age),
        };
      case 'events':
        return { ...base, name: text('Reason'), beside: text('Object'), value: text('Last Seen') };
      case 'services':
        return { ...base, value: portsOf(text('Port(s)')) };
      case 'deployments':
      case 'statefulsets':
        return { ...base, value: shareOf(text('Ready')) };
      case 'daemonsets':
      case 'replicasets':
        return { ...base, value: shareOf(`${text('Ready')}/${text('Desired')}`) };
      case 'jobs':
        return { ...base, value: shareOf(text('Completions')) };
      default:
        return { ...base, value: text('Status') || age };
    }
  });
}

function podValue({ health }: TableRowDto, text: (column: string) => string, age: string): string {
  if (health === 'ok' || health === 'ended') return age;
  const restarts = /^\d+/.exec(text('Restarts'))?.[0] ?? '0';
  const ready = shareOf(text('Ready'));
  const status = text('Status') === 'Running' ? $localize`${ready}:pods: ready` : text('Status');
  return restarts === '0'
    ? status
    : plural(Number(restarts), (n) => ({
        one: $localize`${status}:status:, ${n}:count: restart`,
        other: $localize`${status}:status:, ${n}:count: restarts`,
      }));
}

/** `1 of 2` for `1/2`. */
function shareOf(text: string): string {
  return text.replace(
    /^(\d+)\/(\d+)$/,
    (_, part: string, all: string) => $localize`${part}:count: of ${all}:total:`,
  );
}

/** `80, 8443` for `80/TCP,8443:31000/TCP`. */
function portsOf(text: string): string {
  return text
    .split(',')
    .map((port) => port.replace(/\/TCP$/, ''))
    .join(', ');
}
