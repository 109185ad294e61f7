import type { HealthCountsDto, ResourceBlockDto, TableRowDto } from '../../../shared/api/api-types';
import { type Cell, cellText, shortAge } from '../../resources/cell-values';

/** What a card shows of a row. */
export interface CardRow {
  row: TableRowDto;
  name: string;
  /** Beside the name: the namespace, or what the row is about. */
  beside: string;
  /** In columns of their own, where the card is wide. */
  more: readonly string[];
  value: string;
}

/** Of workloads and the like one says that they are ready, of all else that it is fine. */
const GOOD: Readonly<Record<string, string>> = {
  pods: 'ready',
  nodes: 'ready',
  deployments: 'available',
  replicasets: 'ready',
  statefulsets: 'ready',
  daemonsets: 'ready',
  namespaces: 'active',
  persistentvolumeclaims: 'bound',
};

/** How the objects of a kind stand, in a few words: what is wrong, and otherwise that nothing is. */
export function healthSentence({ type, total, health }: ResourceBlockDto): string {
  if (!health || total === 0 || health.none === total) return '';
  if (type.plural === 'events') {
    return health.warning > 0
      ? `${health.warning} ${health.warning === 1 ? 'warning' : 'warnings'}`
      : 'no warnings';
  }
  const wrong = [
    health.failed > 0 ? `${health.failed} failed` : '',
    health.warning > 0 ? `${health.warning} need${health.warning === 1 ? 's' : ''} attention` : '',
    health.progressing > 0 ? `${health.progressing} on the way` : '',
  ].filter(Boolean);
  if (wrong.length > 0) return wrong.join(', ');
  if (health.ended === total) return 'all ended';
  const good = GOOD[type.plural] ?? 'fine';
  return health.ok + health.ended === total ? `all ${good}` : `${health.ok} ${good}`;
}

/** Whether a person is needed. */
export function asksForAttention({ type, health }: ResourceBlockDto): 'failed' | 'warning' | null {
  if (!health) return null;
  if (health.failed > 0) return 'failed';
  return health.warning > 0 && type.plural !== 'events' ? 'warning' : null;
}

/** Parts of a whole as a bar shows them, what is wrong at its end. */
export function healthParts(
  health: HealthCountsDto | null,
): { health: keyof HealthCountsDto; count: number }[] {
  if (!health) return [];
  const order = ['ok', 'ended', 'none', 'progressing', 'warning', 'failed'] as const;
  return order.map((part) => ({ health: part, count: health[part] })).filter(({ count }) => count > 0);
}

/** The rows of a block as its card shows them. */
export function cardRows(block: ResourceBlockDto, now: number, most: number): CardRow[] {
  const places = new Map(block.columns.map(({ name }, index) => [name, index]));
  return block.rows.slice(0, most).map((row) => {
    const cell = (column: string): Cell | undefined => row.cells[places.get(column) ?? -1];
    const text = (column: string): string => cellText(cell(column));
    const usual = { row, name: row.name, beside: row.namespace ?? '', more: [] };
    const age = shortAge(row.created_at, now);
    switch (block.type.plural) {
      case 'pods':
        return {
          ...usual,
          beside: '',
          more: [row.namespace ?? '', text('Node')],
          value: podValue(row, text, age),
        };
      case 'events':
        return { ...usual, name: text('Reason'), beside: text('Object'), value: text('Last Seen') };
      case 'services':
        return { ...usual, value: portsOf(text('Port(s)')) };
      case 'deployments':
      case 'statefulsets':
        return { ...usual, value: shareOf(text('Ready')) };
      case 'daemonsets':
      case 'replicasets':
        return { ...usual, value: `${text('Ready')} of ${text('Desired')}` };
      case 'jobs':
        return { ...usual, value: shareOf(text('Completions')) };
      default:
        return { ...usual, value: text('Status') || age };
    }
  });
}

/** What is wrong, or how old it is. */
function podValue({ health }: TableRowDto, text: (column: string) => string, age: string): string {
  if (health === 'ok' || health === 'ended') return age;
  const restarts = /^\d+/.exec(text('Restarts'))?.[0] ?? '0';
  const status = text('Status') === 'Running' ? `${shareOf(text('Ready'))} ready` : text('Status');
  return restarts === '0' ? status : `${status}, ${restarts} ${restarts === '1' ? 'restart' : 'restarts'}`;
}

/** `1 of 2` for `1/2`. */
function shareOf(text: string): string {
  return text.replace(/^(\d+)\/(\d+)$/, '$1 of $2');
}

/** `80, 8443` for `80/TCP,8443:31000/TCP`. */
function portsOf(text: string): string {
  return text
    .split(',')
    .map((port) => port.replace(/\/TCP$/, ''))
    .join(', ');
}
