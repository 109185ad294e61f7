import { isIncidental, isKindsOwn } from './normalise.js';
import type { Exchange, KindRun, Transcript } from './transcript.js';

/** Fields that an engine has on some hosts only: control groups 1 or 2, an image that was pulled or loaded. */
const HOST_DEPENDENT = new Set(['total_inactive_file', 'inactive_file', 'RepoDigests', 'Rootless']);

/**
 * The driver inspects the containers of a list again when their states are older than 15 s, and for Podman a node that
 * was killed by its name, as one that did not stop in time. So how often it inspects depends on the speed of the machine.
 */
const INSPECTION = /^GET \/containers\/\{(?:[\w-]+\.id\}|cluster\}-worker)\/json$/;

/** Where a new recording differs from the committed one in what the product relies on. */
export function findDrift(committed: Transcript, recorded: Transcript): string[] {
  return [
    ...committed.exchanges.flatMap((exchange) => exchangeDrift(exchange, recorded.exchanges)),
    ...recorded.exchanges
      .filter(({ situation, request }) => !has(committed.exchanges, situation, request) && !INSPECTION.test(request))
      .map(({ situation, request }) => `${situation}: ${request} is new`),
    ...committed.kind.flatMap((run) => runDrift(run, recorded.kind)),
  ];
}

function has(exchanges: readonly Exchange[], situation: string, request: string): boolean {
  return exchanges.some((other) => other.situation === situation && other.request === request);
}

function exchangeDrift(expected: Exchange, recorded: readonly Exchange[]): string[] {
  const where = `${expected.situation}: ${expected.request}`;
  const found = recorded.find(
    ({ situation, request }) => situation === expected.situation && request === expected.request,
  );
  if (!found) return [`${where} is not asked any more`];
  if (found.status !== expected.status) return [`${where} answers ${found.status}, not ${expected.status}`];
  if (expected.stream) return streamDrift(where, expected.stream, found.stream ?? []);
  return shapeDrift(where, expected.body, found.body);
}

/** Every field that was there is there, with its type. Empty says nothing about what would be in it. */
function shapeDrift(where: string, expected: unknown, found: unknown): string[] {
  if (isEmpty(expected) || isEmpty(found)) return [];
  if (Array.isArray(expected) && Array.isArray(found)) {
    return shapeDrift(`${where}[]`, expected[0], anyOf(found));
  }
  if (typeof expected !== typeof found || Array.isArray(expected) !== Array.isArray(found)) {
    return [`${where} is ${typeof found}, not ${typeof expected}`];
  }
  if (typeof expected !== 'object') return [];
  const fields = unnamed(found as Record<string, unknown>);
  return Object.entries(unnamed(expected as Record<string, unknown>)).flatMap(([name, value]) => {
    if (HOST_DEPENDENT.has(name) || isEmpty(value)) return [];
    return name in fields ? shapeDrift(`${where}.${name}`, value, fields[name]) : [`${where}.${name} is gone`];
  });
}

/** Which of several entries comes first is chance, as with a node's mounts, not all of which have a name. */
function anyOf(entries: readonly unknown[]): unknown {
  const [first] = entries;
  return typeof first === 'object' && first !== null && !Array.isArray(first)
    ? (Object.assign({}, ...entries) as unknown)
    : first;
}

/** Podman labels a node's volume with the node's name; which node comes first is chance. */
function unnamed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name.replace(/^\{cluster\}-.*/, '{node}'), value]),
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** How many messages there are depends on speed; which kinds there are does not. */
function streamDrift(where: string, expected: readonly unknown[], found: readonly unknown[]): string[] {
  const kinds = (messages: readonly unknown[]): Map<string, unknown> =>
    new Map(messages.map((message) => [kindOf(message as Record<string, unknown>), message]));
  const before = kinds(expected);
  const now = kinds(found);
  return [...before].flatMap(([kind, message]) =>
    now.has(kind)
      ? shapeDrift(`${where} ${kind}`, message, now.get(kind))
      : [`${where} sends no ${kind} any more`],
  );
}

function kindOf({ Action, error, status, progressDetail }: Record<string, unknown>): string {
  if (typeof Action === 'string') return Action;
  if (error !== undefined) return 'error';
  // Of a pull only the messages with bytes are relied upon; the words between them depend on timing.
  const { current } = (progressDetail ?? {}) as { current?: number };
  return typeof status === 'string' && current !== undefined && status === 'Downloading' ? status : 'words';
}

function runDrift(expected: KindRun, recorded: readonly KindRun[]): string[] {
  // Its result is trusted for a while, so how often it is asked depends on timing.
  if (expected.args[0] === 'version' && expected.situation !== 'idle') return [];
  const where = `${expected.situation}: kind ${expected.args.join(' ')}`;
  const found = recorded.find(
    ({ situation, args }) => situation === expected.situation && args.join(' ') === expected.args.join(' '),
  );
  if (!found) return [`${where} is not run any more`];
  const drift: string[] = [];
  if (JSON.stringify(found.environment) !== JSON.stringify(expected.environment)) {
    drift.push(`${where} runs in another environment: ${JSON.stringify(found.environment)}`);
  }
  if (found.exitCode !== expected.exitCode) {
    drift.push(`${where} ends with ${found.exitCode}, not ${expected.exitCode}`);
  }
  const before = relevantLines(expected);
  const now = relevantLines(found);
  if (before.join('\n') !== now.join('\n')) {
    drift.push(`${where} says\n    ${now.join('\n    ')}\n  and not\n    ${before.join('\n    ')}`);
  }
  return drift;
}

function relevantLines({ args, output }: KindRun): string[] {
  return output
    .filter(({ stream, text }) => stream === 'stdout' || (isKindsOwn(text) && !isIncidental(text)))
    .map(({ stream, text }) => `${stream}: ${simplify(args, text)}`);
}

function simplify(args: readonly string[], text: string): string {
  if (args[0] === 'version') return text.replace(/v\d.*/, 'v…');
  return text
    .replace(/^Deleted nodes: \[(.*)\]$/, (_, names: string) => `Deleted nodes: ${names.split(' ').sort().join(' ')}`)
    // The command line that failed is kind's own affair.
    .replace(/command "(docker|podman) .*"/, 'command "$1 …"');
}
