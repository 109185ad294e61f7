import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { FileFailure } from '../../core/api/index.js';
import { csvNote, CSV_HEADER, csvRow } from './journal-csv.js';
import type { JournalEntry } from './journal-entry.js';
import type { JournalExportFormat, JournalFilterDto } from './journal.dto.js';
import { JournalService } from './journal.service.js';
import { JournalStore } from './journal.store.js';

/** Entries that are read at once. Each has at most about 2 kB. */
const BATCH = 500;

/** Exports entries as a file, in the order in which their operations started. */
@Injectable()
export class JournalExport {
  constructor(
    private readonly store: JournalStore,
    private readonly journal: JournalService,
  ) {}

  /**
   * Records the export and starts it.
   * @returns chunks of the file: the entries that exist now, without the one about the export
   */
  start(filter: JournalFilterDto, format: JournalExportFormat, signal: AbortSignal): AsyncIterable<string> {
    const bounds = this.store.ids();
    const conditions = Object.entries(filter).flatMap(([name, value]: [string, string | undefined]) =>
      value === undefined ? [] : [`${name} ${value}`],
    );
    const only = conditions.length === 0 ? '' : `, filtered by ${conditions.join(', ')}`;
    this.journal.record({
      kind: 'journal-export',
      message: `Exported the journal as ${format === 'csv' ? 'CSV' : 'NDJSON'}${only}.`,
    });
    return this.write(filter, bounds, format, signal);
  }

  private async *write(
    filter: JournalFilterDto,
    { first, last }: { first: number; last: number },
    format: JournalExportFormat,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    // Sent with the first entries, so that an earlier failure can still be an error response.
    let text = format === 'csv' ? CSV_HEADER : '';
    for (let from = first; from <= last && !signal.aborted; from += BATCH) {
      const entries = this.store.byId(filter, from, Math.min(last, from + BATCH - 1));
      text += entries.map((entry) => lineOf(entry, format)).join('');
      if (entries.length > 0) {
        yield text;
        text = '';
      }
      await nextTurn();
    }
    if (text !== '') yield text;
  }
}

function lineOf(entry: JournalEntry, format: JournalExportFormat): string {
  return format === 'csv' ? csvRow(entry) : `${JSON.stringify(entry)}\n`;
}

/** The last line of an incomplete file. */
export function lastLine(error: FileFailure, format: JournalExportFormat): string {
  return format === 'csv'
    ? csvNote(`[Slipway] The export is incomplete. ${error.message}`)
    : `${JSON.stringify({ error })}\n`;
}
