import { DomainError } from '../../../core/errors/index.js';
import type { DemoNode } from '../demo-node.js';
import {
  followDemoLog,
  DemoLog,
  pick,
  type DemoEntry,
  type DemoReading,
  type LogScript,
} from './demo-log.js';

/** As in a syslog's message. */
const PRIORITY = { error: '3', warning: '4', info: '6' } as const;
const PODS = ['kube-system/coredns-7c65d6cfc9-4xk2p', 'kube-system/kindnet-8qhzl', 'shop/payments-api-6f7b'];
const UNITS = ['kubelet', 'containerd'] as const;

/** Every entry is `<unit> <priority> <message>`: what `journalctl` makes of it is its own affair. */
const script: LogScript = {
  start: [],
  seconds: 3,
  say: ({ at, number, dice }) => {
    const pod = pick(PODS, dice(3));
    const choice = dice(2);
    if (dice(1) < 0.35) {
      const level = choice < 0.06 ? 'error' : choice < 0.14 ? 'warning' : 'info';
      const message =
        level === 'error'
          ? 'failed to load cni during init, please check CRI plugin status before setting up network for pods'
          : level === 'warning'
            ? `cleaning up after shim disconnected id=${number.toString(16).padStart(12, 'a')} namespace=k8s.io`
            : `ImageUpdate event name:\\"registry.k8s.io/pause:3.10.1\\" labels:{key:\\"io.cri-containerd.image\\" value:\\"managed\\"}`;
      return `containerd ${PRIORITY[level]} time="${new Date(at).toISOString()}" level=${level} msg="${message}"`;
    }
    const head = (letter: string, place: string): string => `${letter}${klogDate(at)}     712 ${place}]`;
    if (choice < 0.08) {
      return `kubelet ${PRIORITY.info} ${head('E', 'pod_workers.go:1324')} "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"app\\" with CrashLoopBackOff: \\"back-off 2m40s restarting failed container\\"" pod="${pod}"`;
    }
    if (choice < 0.18) {
      return `kubelet ${PRIORITY.info} ${head('W', 'machine.go:65')} Cannot read vendor id correctly, set empty.`;
    }
    if (choice < 0.6) {
      return `kubelet ${PRIORITY.info} ${head('I', 'kubelet.go:2468')} "SyncLoop (PLEG): event for pod" pod="${pod}"`;
    }
    return `kubelet ${PRIORITY.info} ${head('I', 'reconciler_common.go:251')} "operationExecutor.VerifyControllerAttachedVolume started for volume \\"config-volume\\"" pod="${pod}"`;
  },
};

/** `1122 13:35:05.123456`: the month and the day, and no year. */
export function klogDate(at: number): string {
  const text = new Date(at).toISOString();
  return `${text.slice(5, 7)}${text.slice(8, 10)} ${text.slice(11, 23)}000`;
}

interface Question {
  units: Set<string>;
  lines: number;
  afterNumber: number | null;
}

/** Plays `journalctl` in a node, with the options that the log board gives it. */
export async function* runJournal(
  node: DemoNode,
  command: readonly string[],
  speed: number,
  reading: DemoReading,
): AsyncGenerator<string[]> {
  const { units, lines, afterNumber } = understand(command);
  const log = new DemoLog(script, Date.parse(node.createdAt), `journal/${node.id}`, speed);
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

function understand(command: readonly string[]): Question {
  const [program = '', ...options] = command;
  if (program !== 'journalctl') throw refused(`${program}: not found`);
  const question: Question = { units: new Set(), lines: 10, afterNumber: null };
  for (const option of options) {
    const [, name = '', value = ''] = /^(--[a-z-]+)(?:=(.*))?$/.exec(option) ?? [];
    if (name === '--unit') question.units.add(value);
    else if (name === '--lines') question.lines = value === 'all' ? Number.MAX_SAFE_INTEGER : Number(value);
    else if (name === '--after-cursor') {
      const [, number] = /;i=([0-9a-f]+);/.exec(value) ?? [];
      if (number === undefined) throw refused('Failed to seek to cursor: Invalid argument');
      question.afterNumber = Number.parseInt(number, 16);
    } else if (
      !['--follow', '--output', '--output-fields', '--no-pager', '--all', '--quiet'].includes(name)
    ) {
      throw refused(`journalctl: unrecognized option '${option}'`);
    }
  }
  if (question.units.size === 0) question.units = new Set(UNITS);
  return question;
}

function refused(reason: string): DomainError {
  return new DomainError('log_unreadable', `The log of the node cannot be read: ${reason}.`);
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
