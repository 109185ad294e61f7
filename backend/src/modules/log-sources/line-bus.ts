import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { LogLine } from '../../drivers/log-store/index.js';

/** Lines that were taken in just now. */
export interface AppendedLines {
  source: number;
  lines: readonly LogLine[];
}

/** Tells every line that is taken in, once it is kept. */
@Injectable()
export class LineBus {
  readonly appended = new Subject<AppendedLines>();
}
