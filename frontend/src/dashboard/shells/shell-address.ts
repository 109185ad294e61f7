import { rawText } from '../../shared/format/raw-text';
import type { ShellTarget } from './shells';

export interface TerminalSize {
  columns: number;
  rows: number;
}

/** The path of the socket of a shell, with its query. @param ticketQuery empty if sign-in is off */
export function shellAddress(
  { key, ...target }: ShellTarget,
  { columns, rows }: TerminalSize,
  ticketQuery: string,
): { path: string; query: string } {
  const size = { columns: String(columns), rows: String(rows) };
  const query = new URLSearchParams({ runtime: key.runtime, ...target, ...size });
  return {
    path: `/api/v1/clusters/${encodeURIComponent(key.name)}/shells`,
    query: `?${query.toString()}${ticketQuery.replace(/^\?/, '&')}`,
  };
}

/** The title of a tab. */
export function titleOf(target: ShellTarget): string {
  switch (target.target) {
    case 'node':
      return rawText(target.node);
    case 'container':
      return rawText(target.pod);
    case 'debug':
      return $localize`Debug ${rawText(target.pod)}:pod:`;
  }
}

/** Where it runs, for the tooltip and the label of the terminal. */
export function placeOf(target: ShellTarget): string {
  const { name } = target.key;
  if (target.target === 'node') return $localize`Node ${rawText(target.node)}:node: of ${name}:cluster:`;
  const [namespace, pod] = [rawText(target.namespace), rawText(target.pod)];
  if (target.target === 'debug') {
    return $localize`Debug container of Pod ${namespace}:namespace:/${pod}:pod: of ${name}:cluster:`;
  }
  return target.container === undefined
    ? $localize`Pod ${namespace}:namespace:/${pod}:pod: of ${name}:cluster:`
    : $localize`Container ${rawText(target.container)}:container: of Pod ${namespace}:namespace:/${pod}:pod: of ${name}:cluster:`;
}
