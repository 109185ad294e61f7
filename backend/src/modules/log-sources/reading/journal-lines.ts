import { either, jsonValue, list, number, record, text, type Read } from '../../../core/parsing/index.js';
import type { NewLogLine } from '../../../drivers/log-store/index.js';
import { levelOf, levelOfPriority, LineGrouping, lineText } from '../../log-lines/index.js';

/** A line from a node's journal. */
export interface JournalLine {
  service: 'kubelet' | 'containerd';
  line: NewLogLine;
}

/** Makes lines of the output of each service. */
export class ServiceLines {
  private readonly grouping = { kubelet: new LineGrouping(), containerd: new LineGrouping() };

  line(
    service: JournalLine['service'],
    time: number,
    bytes: Buffer,
    isContinuation = false,
    own = levelOf,
  ): JournalLine {
    const { text, cut } = lineText(bytes);
    const grouping = this.grouping[service];
    const continues = grouping.continues(null, time, text) || isContinuation;
    const level = grouping.level(null, continues, text, own);
    return { service, line: { time, stream: null, level, text, cut, continues } };
  }
}

/** An entry as `journalctl --output=json` writes it. */
const readEntry = record({
  __REALTIME_TIMESTAMP: text(32),
  // Text; bytes if it is not UTF-8 or has unprintable characters; null if it is too long.
  MESSAGE: either(text(Infinity), list(number, 16_000_000)),
  PRIORITY: text(16),
  _SYSTEMD_UNIT: text(1024),
  SYSLOG_IDENTIFIER: text(1024),
});
type Entry = Read<typeof readEntry>;

/** Parses the output of `journalctl --output=json`. */
export class JournalLines {
  private readonly lines = new ServiceLines();

  /** @param texts complete lines of output. Invalid entries are skipped. */
  take(texts: readonly string[]): JournalLine[] {
    return texts.flatMap((each) => this.takeEntry(each));
  }

  private takeEntry(json: string): JournalLine[] {
    const entry = readEntry(jsonValue(json));
    const time = Number(entry?.__REALTIME_TIMESTAMP);
    const message = bytesOf(entry?.MESSAGE);
    if (!entry || !Number.isSafeInteger(time) || !message) return [];
    const service = serviceOf(entry, message);
    const priority = levelOfPriority(Number(entry.PRIORITY ?? Number.NaN));
    // A multi-line entry is one entry.
    return splitLines(message).map((bytes, index) =>
      this.lines.line(service, time, bytes, index > 0, (message) => levelOf(message) ?? priority),
    );
  }
}

function bytesOf(message: Entry['MESSAGE']): Buffer | undefined {
  return typeof message === 'string' ? Buffer.from(message) : message && Buffer.from(message);
}

function serviceOf(
  { _SYSTEMD_UNIT: unit, SYSLOG_IDENTIFIER: program }: Entry,
  message: Buffer,
): JournalLine['service'] {
  for (const name of [unit, program]) {
    if (name === 'kubelet.service' || name === 'kubelet') return 'kubelet';
    if (name === 'containerd.service' || name === 'containerd') return 'containerd';
  }
  // A message of systemd about one of the two units.
  return message.includes('containerd') ? 'containerd' : 'kubelet';
}

function splitLines(message: Buffer): Buffer[] {
  if (!message.includes(0x0a)) return [message];
  const lines: Buffer[] = [];
  let from = 0;
  for (let end = message.indexOf(0x0a); end >= 0; end = message.indexOf(0x0a, from)) {
    lines.push(message.subarray(from, end));
    from = end + 1;
  }
  if (from < message.length) lines.push(message.subarray(from));
  return lines;
}
