import type { Signal } from '@angular/core';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { LineList, ListPosition } from '../../../shared/lines/line-list';
import type { LogLine, LogRow } from '../../../shared/lines/log-line';
import type { RowSource } from '../../../shared/lines/row-source';
import type { LiveLines } from './live-lines';

/**
 * The current position of a list as row numbers of the new lines.
 * @param shown the list; undefined while it shows other rows than lines
 * @param isCurrent whether the new lines are still to be shown
 * @returns null at the end
 * @throws ApiProblem
 */
export async function positionIn(
  next: LiveLines,
  rows: Signal<RowSource>,
  shown: () => LineList | undefined,
  isCurrent: () => boolean,
): Promise<ListPosition | null> {
  while (isCurrent()) {
    const list = shown();
    if (!list || list.following()) return null;
    const position = list.position();
    const topRow = rows().row(position.at);
    const rowIn = async (at: number | null): Promise<number | null> => {
      const row = at === null ? undefined : rows().row(at);
      return row?.kind === 'line' && next.holds(row.source) ? await rowOf(next, row) : null;
    };
    const top = firstShared(next, rows(), position.at);
    const places: (number | null)[] = [null, null, null];
    const stop = next.onShift((from, by) => {
      for (const [index, at] of places.entries()) if (at !== null && at >= from) places[index] = at + by;
    });
    try {
      for (const [index, at] of [top, position.cursor, position.selectedFrom].entries()) {
        places[index] = await rowIn(at);
      }
      // No visible line belongs to the new sources: use its time.
      if (places[0] === null && topRow?.kind === 'line' && next.end > next.first) {
        places[0] = Math.min(await next.locateTime(topRow.rank), next.end - 1);
      }
    } finally {
      stop();
    }
    // The user has scrolled meanwhile: start again, now with loaded rows.
    if (JSON.stringify(position) !== JSON.stringify(list.position())) continue;
    const [at = null, cursor = null, selectedFrom = null] = places;
    return at === null
      ? null
      : { at, offset: top === position.at ? position.offset : 0, cursor, selectedFrom };
  }
  return null;
}

/** The first row from `from` that the new lines have, too. */
function firstShared(next: LiveLines, rows: RowSource, from: number): number {
  const isOther = (row: LogRow | undefined): boolean =>
    row !== undefined && (row.kind !== 'line' || !next.holds(row.source));
  let at = from;
  while (isOther(rows.row(at))) at += 1;
  return at;
}

/** Null for a deleted line. @throws ApiProblem */
async function rowOf(live: LiveLines, { source, seq }: LogLine): Promise<number | null> {
  try {
    return await live.locate(source, seq);
  } catch (error) {
    if (ApiProblem.of(error).code === 'line_not_found') return null;
    throw error;
  }
}
