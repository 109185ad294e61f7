import type { JournalFilterDto } from './journal.dto.js';

/** The SQL condition of a filter, with its parameters. */
export function whereOf(filter: JournalFilterDto): { where: string; parameters: string[] } {
  const conditions = ['TRUE'];
  const parameters: string[] = [];
  const add = (condition: string, value: string): void => {
    conditions.push(condition);
    for (let marks = condition.split('?').length - 1; marks > 0; marks -= 1) parameters.push(value);
  };
  if (filter.cluster !== undefined) add('cluster = ?', filter.cluster);
  if (filter.outcome !== undefined) add('outcome = ?', filter.outcome);
  // `addon` also matches `addon-install`, `addon-upgrade` and so on.
  if (filter.kind !== undefined) add("(kind = ? OR substr(kind, 1, length(?) + 1) = ? || '-')", filter.kind);
  if (filter.runtime !== undefined) add('(runtime = ? OR runtime IS NULL)', filter.runtime);
  // LIKE would treat characters of the text as wildcards.
  if (filter.text !== undefined) add('instr(lower(message), lower(?)) > 0', filter.text);
  if (filter.actor !== undefined) {
    add('? IN (actor_user, actor_id, actor_name, actor_address, actor_kind)', filter.actor);
  }
  if (filter.since !== undefined) add('time >= ?', filter.since);
  if (filter.until !== undefined) add('time < ?', filter.until);
  return { where: conditions.join(' AND '), parameters };
}
