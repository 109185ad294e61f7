import type { LostOutput } from '../../../core/logging/index.js';
import type { DiagnosticCheckDto } from './diagnostics.dto.js';

/** Reports output of the server that was dropped because its reader, terminal or disk failed. */
export function checkOutput(lost: readonly LostOutput[]): DiagnosticCheckDto[] {
  return lost.map(({ stream, writes, since, code }) => ({
    name: `output-${stream}`,
    title: `Output to ${stream}`,
    level: 'warning',
    message: `dropped ${writes} ${writes === 1 ? 'entry' : 'entries'} since ${since}: writing failed with ${code}`,
    fix: 'Restart Slipway with an output that stays open. A support bundle has its latest log entries.',
  }));
}
