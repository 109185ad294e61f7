import { ServiceLines, type JournalLine } from './journal-lines.js';

/**
 * Where the services of a node without systemd write.
 * https://kubernetes.io/docs/concepts/cluster-administration/system-logs/#log-location-node
 */
export const SERVICE_FILES = {
  kubelet: '/var/log/kubelet.log',
  containerd: '/var/log/containerd.log',
} as const;

type Service = JournalLine['service'];

/** `tail` writes this header before lines of another file. */
const HEADER = /^==> (.+) <==$/;
/** `I1121 14:33:47.386766`: the prefix of Kubernetes components, without year, in the node's time zone (UTC in kind). */
const KLOG = /^[IWEF](\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{6})\s/;
/** `time="2026-11-21T14:33:46.536895917Z"`: the prefix of containerd. */
const LOGFMT = /^time="(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z"/;

/** Parses the output of `tail` for both files. The times are those in the lines. */
export class FileLines {
  private readonly lines = new ServiceLines();
  private readonly times: Partial<Record<Service, number>> = {};
  private service: Service | undefined;

  /** @param now milliseconds since the epoch. Lines without a year are in the past. */
  constructor(private readonly now: () => number = Date.now) {}

  /** @param texts complete lines of output */
  take(texts: readonly string[]): JournalLine[] {
    const lines: JournalLine[] = [];
    for (const text of texts) {
      const file = HEADER.exec(text)?.[1];
      if (file !== undefined) this.service = serviceOf(file);
      // `tail` writes an empty line before each header. The services write none.
      else if (this.service && text !== '') lines.push(this.lineOf(this.service, text));
    }
    return lines;
  }

  private lineOf(service: Service, text: string): JournalLine {
    const time = this.timeOf(text) ?? this.times[service] ?? this.now() * 1000;
    this.times[service] = time;
    return this.lines.line(service, time, Buffer.from(text));
  }

  private timeOf(text: string): number | undefined {
    const klog = KLOG.exec(text);
    if (klog) {
      const [, month, day, hours, minutes, seconds, fraction] = klog.map(Number);
      const at = (year: number): number =>
        Date.UTC(year, Number(month) - 1, day, hours, minutes, seconds) * 1000 + Number(fraction);
      const now = this.now();
      const year = new Date(now).getUTCFullYear();
      // A December line that is read in January is from the previous year.
      return at(year) > (now + DAY_MS) * 1000 ? at(year - 1) : at(year);
    }
    const [, moment, fraction = ''] = LOGFMT.exec(text) ?? [];
    if (moment === undefined) return undefined;
    return Date.parse(`${moment}Z`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
  }
}

const DAY_MS = 86_400_000;

function serviceOf(file: string): Service | undefined {
  if (file === SERVICE_FILES.kubelet) return 'kubelet';
  return file === SERVICE_FILES.containerd ? 'containerd' : undefined;
}
