import { DomainError } from '../../../core/errors/index.js';
import type { DemoNode } from '../demo-node.js';
import { DemoLog, followDemoLog, type DemoEntry, type DemoReading } from './demo-log.js';
import { recordedScript } from './log-script.js';

const UNITS = ['kubelet', 'containerd'];
const OPTION = /^--(unit|lines|after-cursor|follow|output|output-fields|no-pager|all|quiet)(=|$)/;

/** Plays `journalctl` in a node. Knows the options that the log board uses. */
export async function* runJournal(
  node: DemoNode,
  command: readonly string[],
  speed: number,
  reading: DemoReading,
): AsyncGenerator<string[]> {
  const [program = '', ...options] = command;
  if (program !== 'journalctl') throw unreadable(`${program}: not found`);
  const unknown = options.find((option) => !OPTION.test(option));
  if (unknown !== undefined) throw unreadable(`journalctl: unrecognized option '${unknown}'`);
  const valueOf = (name: string): string | undefined =>
    options.find((option) => option.startsWith(`${name}=`))?.slice(name.length + 1);
  const wanted = options.filter((option) => option.startsWith('--unit=')).map((option) => option.slice(7));
  const units = wanted.length > 0 ? wanted : UNITS;
  const count = valueOf('--lines') ?? '10';
  const lines = count === 'all' ? Number.MAX_SAFE_INTEGER : Number(count);
  const cursor = valueOf('--after-cursor');
  const afterNumber =
    cursor === undefined ? null : Number.parseInt(/;i=([0-9a-f]+);/.exec(cursor)?.[1] ?? '', 16);
  if (Number.isNaN(afterNumber)) throw unreadable('Failed to seek to cursor: Invalid argument');
  const log = new DemoLog(recordedScript('journal'), Date.parse(node.createdAt), `journal/${node.id}`, speed);
  const show = (entries: readonly DemoEntry[]): string[] =>
    entries.filter((entry) => units.includes(unitOf(entry))).map((entry) => asJson(entry, node));
  const until = log.countUntil(Date.now() * 1000);
  const from = afterNumber === null ? Math.max(0, until - 2000) : Math.min(afterNumber + 1, until);
  const past = show(log.entries(Math.max(from, until - 2000), until)).slice(lines === 0 ? Infinity : -lines);
  if (past.length > 0) yield past;
  for await (const entries of followDemoLog(log, until, reading)) {
    const shown = show(entries);
    if (shown.length > 0) yield shown;
  }
}

function unreadable(reason: string): DomainError {
  return new DomainError('log_unreadable', `Could not read the log of the node. ${reason}.`);
}

function unitOf({ lines }: DemoEntry): string {
  return lines[0]?.split(' ', 1)[0] ?? '';
}

function asJson({ lines, time, number }: DemoEntry, node: DemoNode): string {
  const [, unit = '', priority = '', message = ''] = /^(\S+) (\d) (.*)$/.exec(lines[0] ?? '') ?? [];
  const boot = node.id.slice(-32);
  return JSON.stringify({
    __CURSOR: `s=${boot};i=${number.toString(16)};b=${boot};t=${time.toString(16)}`,
    __REALTIME_TIMESTAMP: String(time),
    __MONOTONIC_TIMESTAMP: String(Math.max(time - Date.parse(node.createdAt) * 1000, 0)),
    _BOOT_ID: boot,
    PRIORITY: priority,
    SYSLOG_IDENTIFIER: unit,
    _SYSTEMD_UNIT: `${unit}.service`,
    MESSAGE: message,
  });
}
