import { DomainError } from '../../../core/errors/index.js';
import type { DemoNode } from '../demo-node.js';
import { DemoLog, followDemoLog, type DemoEntry, type DemoReading } from './demo-log.js';
import { recordedScript } from './log-script.js';

const UNITS = ['kubelet', 'containerd'];
const IGNORED_OPTIONS = ['--follow', '--output', '--output-fields', '--no-pager', '--all', '--quiet'];

interface JournalQuery {
  units: Set<string>;
  lines: number;
  afterNumber: number | null;
}

/** Plays `journalctl` in a node. Knows the options that the log board uses. */
export async function* runJournal(
  node: DemoNode,
  command: readonly string[],
  speed: number,
  reading: DemoReading,
): AsyncGenerator<string[]> {
  const { units, lines, afterNumber } = parseCommand(command);
  const log = new DemoLog(recordedScript('journal'), Date.parse(node.createdAt), `journal/${node.id}`, speed);
  const show = (entries: readonly DemoEntry[]): string[] =>
    entries.filter((entry) => units.has(unitOf(entry))).map((entry) => asJson(entry, node));
  const until = log.countUntil(Date.now() * 1000);
  const from = afterNumber === null ? Math.max(0, until - 2000) : Math.min(afterNumber + 1, until);
  const past = show(log.entries(Math.max(from, until - 2000), until)).slice(lines === 0 ? Infinity : -lines);
  if (past.length > 0) yield past;
  for await (const entries of followDemoLog(log, until, reading)) {
    const shown = show(entries);
    if (shown.length > 0) yield shown;
  }
}

function parseCommand(command: readonly string[]): JournalQuery {
  const [program = '', ...options] = command;
  if (program !== 'journalctl') throw unreadable(`${program}: not found`);
  const query: JournalQuery = { units: new Set(), lines: 10, afterNumber: null };
  for (const option of options) {
    const [, name = '', value = ''] = /^(--[a-z-]+)(?:=(.*))?$/.exec(option) ?? [];
    if (name === '--unit') query.units.add(value);
    else if (name === '--lines') query.lines = value === 'all' ? Number.MAX_SAFE_INTEGER : Number(value);
    else if (name === '--after-cursor') {
      const [, number] = /;i=([0-9a-f]+);/.exec(value) ?? [];
      if (number === undefined) throw unreadable('Failed to seek to cursor: Invalid argument');
      query.afterNumber = Number.parseInt(number, 16);
    } else if (!IGNORED_OPTIONS.includes(name)) {
      throw unreadable(`journalctl: unrecognized option '${option}'`);
    }
  }
  if (query.units.size === 0) query.units = new Set(UNITS);
  return query;
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
