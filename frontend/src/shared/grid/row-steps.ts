/** The row that a key leads to; `end` is exclusive. */
export function rowAfter(from: number, by: number, end: number, first = 0): number {
  return Math.min(end - 1, Math.max(first, from + by));
}

/** How many rows Page Up and Page Down move by: one row stays visible. */
export function rowsPerPage(height: number, rowHeight: number): number {
  return Math.max(1, Math.floor(height / rowHeight) - 1);
}

/** The scroll position closest to `scrolled` that shows a whole row. All in pixels. */
export function topToShow(row: { top: number; height: number }, scrolled: number, height: number): number {
  if (row.top < scrolled) return row.top;
  return Math.max(scrolled, row.top + row.height - height);
}
