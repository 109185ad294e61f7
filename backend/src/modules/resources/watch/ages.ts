import type { TableCell, TableColumn, TableRow } from '../../../drivers/kubernetes/index.js';

const SECOND = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A duration as kubectl prints it (`duration.HumanDuration` of k8s.io/apimachinery): `3d4h`. */
export function printDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND);
  // Clocks of two machines may differ slightly.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return two(seconds, MINUTE, 'm', 1, 's');
  if (seconds < 3 * HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < 8 * HOUR) return two(seconds, HOUR, 'h', MINUTE, 'm');
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h`;
  if (seconds < 8 * DAY) return two(seconds, DAY, 'd', HOUR, 'h');
  if (seconds < 2 * YEAR) return `${Math.floor(seconds / DAY)}d`;
  if (seconds < 8 * YEAR) return two(seconds, YEAR, 'y', DAY, 'd');
  return `${Math.floor(seconds / YEAR)}y`;
}

function two(seconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % large) / small);
  const first = `${Math.floor(seconds / large)}${largeUnit}`;
  return rest === 0 ? first : `${first}${rest}${smallUnit}`;
}

const PRINTED = /^(?=\d)(?:(\d+)y)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;
const UNITS = [YEAR, DAY, HOUR, MINUTE, 1];

/** Milliseconds of a printed duration; undefined for other text. */
export function readDuration(text: TableCell | undefined): number | undefined {
  const parts = typeof text === 'string' ? PRINTED.exec(text) : null;
  if (!parts) return undefined;
  return UNITS.reduce((sum, unit, index) => sum + Number(parts[index + 1] ?? 0) * unit, 0) * SECOND;
}

function older(cell: TableCell, elapsed: number): TableCell {
  const duration = readDuration(cell);
  return duration === undefined ? cell : printDuration(duration + elapsed);
}

type Ageing = (cell: TableCell, row: TableRow, elapsed: number, now: number) => TableCell;

const byElapsed: Ageing = (cell, _row, elapsed) => older(cell, elapsed);

const byCreation: Ageing = (cell, { createdAt }, elapsed, now) =>
  createdAt === null ? older(cell, elapsed) : printDuration(now - Date.parse(createdAt));

/** A column of a CRD: an age of any field, which is often that of the object. */
const byOwnValue: Ageing = (cell, row, elapsed, now) =>
  row.createdAt !== null && isAgeOf(row.createdAt, cell, now - elapsed)
    ? byCreation(cell, row, elapsed, now)
    : older(cell, elapsed);

/** An API server without tables has the time of creation, and other columns keep times as kubectl prints them. */
const byOwnAge: Ageing = (cell, row, elapsed, now) =>
  (cell === row.createdAt ? byCreation : byOwnValue)(cell, row, elapsed, now);

/** Clocks may differ by a second, and the print may have taken as long. */
function isAgeOf(createdAt: string, cell: TableCell, printedAt: number): boolean {
  const age = printedAt - Date.parse(createdAt);
  return [age - SECOND, age, age + SECOND].some((each) => printDuration(each) === cell);
}

/** `5 (3m ago)`: only the time in parentheses ages. */
const byRestart: Ageing = (cell, _row, elapsed) =>
  typeof cell === 'string'
    ? cell.replace(/\(([^\s()]{1,32}) ago\)/, (_all, age: string) => `(${String(older(age, elapsed))} ago)`)
    : cell;

/** Of an event that occurred again: `36s (x10 over 25m)`. */
const REPEATED = /^(\S+) \((x\d+) over (\S+)\)$/;

/** `Last Seen` of an event in milliseconds; undefined for other text. */
export function readLastSeen(cell: TableCell | undefined): number | undefined {
  return readDuration(REPEATED.exec(String(cell))?.[1] ?? cell);
}

const byOccurrence: Ageing = (cell, _row, elapsed) => {
  const [, last, count, first] = REPEATED.exec(String(cell)) ?? [];
  if (last === undefined || first === undefined) return older(cell, elapsed);
  return `${String(older(last, elapsed))} (${count} over ${String(older(first, elapsed))})`;
};

/** Updates the relative times in cells. The API server prints `10s` once, and the row may be an hour old. */
export class Ages {
  private readonly columns: { index: number; ageing: Ageing }[];

  /** @param custom whether they belong to a CRD, whose columns have any name and only age if their type is `date` */
  constructor(columns: readonly TableColumn[], custom = false) {
    const completions = columns.findIndex(({ name }) => name === 'Completions');
    /** The duration of a job increases until the job is complete. */
    const whileRunning: Ageing = (cell, { cells }, elapsed) =>
      isComplete(cells[completions]) ? cell : older(cell, elapsed);
    const ageings = new Map<string, Ageing>([
      ['Age', byCreation],
      ['Last Seen', byOccurrence],
      ['First Seen', byElapsed],
      ['Last Schedule', byElapsed],
      ['Restarts', byRestart],
      ...(completions === -1 ? [] : ([['Duration', whileRunning]] as const)),
    ]);
    this.columns = columns.flatMap(({ name, type }, index) => {
      const byDate = name === 'Age' ? byOwnAge : byOwnValue;
      const ageing = (custom ? undefined : ageings.get(name)) ?? (type === 'date' ? byDate : undefined);
      return ageing ? [{ index, ageing }] : [];
    });
  }

  /**
   * The cells of a row at a given time.
   * @param printedAt when the API server printed them
   */
  at(row: TableRow, printedAt: number, now: number): TableCell[] {
    const elapsed = now - printedAt;
    // Cells that were just printed are current, except if the API server printed a timestamp instead of an age.
    const isPrinted = row.createdAt === null || !row.cells.includes(row.createdAt);
    if ((elapsed < SECOND && isPrinted) || this.columns.length === 0) return row.cells;
    const cells = [...row.cells];
    for (const { index, ageing } of this.columns) {
      cells[index] = ageing(cells[index] ?? null, row, elapsed, now);
    }
    return cells;
  }

  /** Whether two prints of a row differ in other cells than relative times. */
  differ(one: readonly TableCell[], other: readonly TableCell[]): boolean {
    return one.some(
      (cell, index) => cell !== other[index] && !this.columns.some((age) => age.index === index),
    );
  }
}

/** `1/1`, or `3/1 of 3` for jobs without a number of completions. */
function isComplete(cell: TableCell | undefined): boolean {
  const [done, wanted] = String(cell).split(/\/| of /);
  return Number(done) >= Number(wanted);
}
