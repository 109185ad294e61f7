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
      return target.node;
    case 'container':
      return target.pod;
    case 'debug':
      return $localize`Debug ${target.pod}:pod:`;
  }
}

/** Where it runs, for the tooltip and the label of the terminal. */
export function placeOf(target: ShellTarget): string {
  const { name } = target.key;
  switch (target.target) {
    case 'node':
      return $localize`Node ${target.node}:node: of ${name}:cluster:`;
    case 'container':
      return target.container === undefined
        ? $localize`Pod ${target.namespace}:namespace:/${target.pod}:pod: of ${name}:cluster:`
        : $localize`Container ${target.container}:container: of Pod ${target.namespace}:namespace:/${target.pod}:pod: of ${name}:cluster:`;
    case 'debug':
      return $localize`Debug container of Pod ${target.namespace}:namespace:/${target.pod}:pod: of ${name}:cluster:`;
  }
}
