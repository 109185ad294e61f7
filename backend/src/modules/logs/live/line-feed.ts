import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { StoredLine } from '../lines/line.js';

/** Lines that were taken in just now. */
export interface AppendedLines {
  source: number;
  lines: readonly StoredLine[];
}

/** Tells every line that is taken in, once it is kept. */
@Injectable()
export class LineFeed {
  readonly appended = new Subject<AppendedLines>();
}
