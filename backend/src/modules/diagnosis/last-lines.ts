import type { PodLogs, PodLogStart, PodName } from '../../drivers/kubernetes/index.js';
import { shortened } from '../../core/values/index.js';
import { LineAssembler, plainText } from '../log-lines/index.js';

const LINES = 10;
const MAX_LINE_LENGTH = 300;
const MAX_BYTES = 256 * 1024;
const DEADLINE_MS = 3000;

/** The last lines of a container, as plain text; empty if they cannot be read. */
export async function lastLines(
  logs: PodLogs,
  pod: PodName,
  of: Pick<PodLogStart, 'container' | 'previous'>,
  count = LINES,
): Promise<string> {
  const assembler = new LineAssembler();
  const lines: string[] = [];
  let bytes = 0;
  try {
    const start: PodLogStart = { ...of, since: null, tail: count, follow: false };
    for await (const pieces of logs.open(pod, start, AbortSignal.timeout(DEADLINE_MS))) {
      lines.push(...assembler.take(pieces, Date.now()).map(({ text }) => text));
      bytes += pieces.reduce((sum, { data }) => sum + data.length, 0);
      if (bytes > MAX_BYTES) break;
    }
    lines.push(...assembler.flush().map(({ text }) => text));
  } catch {
    // A log that is lost or has not started: the other evidence remains.
    return '';
  }
  return lines
    .slice(-count)
    .map((line) => shortened(plainText(line), MAX_LINE_LENGTH))
    .join('\n');
}
