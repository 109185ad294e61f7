import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { LogLine } from '../../drivers/log-store/index.js';

export interface AppendedLines {
  source: number;
  lines: readonly LogLine[];
}

/** Publishes each line after it is stored. */
@Injectable()
export class LineBus {
  readonly appended = new Subject<AppendedLines>();
}
