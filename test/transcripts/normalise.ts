import type { Exchange, KindRun } from './transcript.js';
import type { RawExchange } from './recording-proxy.js';

/** The named values of a recording, which a replay replaces by its own. */
export interface KnownValues {
  /** From the value as it was, such as a container's id, to its placeholder, such as `{worker.id}`. */
  placeholders: ReadonlyMap<string, string>;
  /** Of other clusters on the same engine nothing is kept. */
  cluster: string;
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * The parts of each answer that the product reads; the rest differs from machine to machine and tells
 * nothing. `*` stands for any key. A path keeps everything below it.
 */
const KEPT: readonly [RegExp, readonly string[]][] = [
  [/^GET \/_ping$/, []],
  [/^GET \/version$/, ['Version', 'ApiVersion', 'Components.Name', 'Components.Version']],
  [
    /^GET \/info$/,
    ['NCPU', 'MemTotal', 'CgroupVersion', 'SecurityOptions', 'DockerRootDir', 'Warnings', 'Rootless'],
  ],
  [
    /^GET \/containers\/json/,
    [
      'Id',
      'Names',
      'Image',
      'State',
      'Status',
      'Created',
      'Labels',
      'Ports',
      'NetworkSettings.Networks.*.IPAddress',
      'Mounts.Type',
      'Mounts.Name',
    ],
  ],
  [
    /^GET \/containers\/[^/]+\/json/,
    [
      'Id',
      'Name',
      'State.Status',
      'State.ExitCode',
      'State.OOMKilled',
      'State.StartedAt',
      'State.FinishedAt',
      'Config.Image',
      'Config.Env',
      'HostConfig.PortBindings',
      'NetworkSettings.Networks.*.IPAddress',
      'Mounts.Type',
      'Mounts.Name',
      'Mounts.Source',
      'Mounts.Destination',
      'Mounts.Mode',
      'Mounts.RW',
      'Mounts.Propagation',
    ],
  ],
  [/^GET \/containers\/[^/]+\/archive/, ['name', 'content', 'message']],
  [
    /^GET \/containers\/[^/]+\/stats/,
    [
      'read',
      'cpu_stats.cpu_usage.total_usage',
      'memory_stats.usage',
      'memory_stats.limit',
      'memory_stats.stats.inactive_file',
      'memory_stats.stats.total_inactive_file',
      'networks.*.rx_bytes',
      'networks.*.tx_bytes',
      'blkio_stats.io_service_bytes_recursive',
    ],
  ],
  [/^GET \/images\/json/, ['RepoTags', 'RepoDigests', 'Size']],
  [/^GET \/images\/.+\/json/, ['RepoTags', 'message']],
  [/^GET \/volumes$/, ['Volumes.Name', 'Volumes.Labels']],
  [/^GET \/volumes\//, ['Name', 'Labels', 'message']],
  [/^GET \/events/, ['Type', 'Action', 'Actor', 'time', 'timeNano']],
  [/^POST \/images\/create/, ['id', 'status', 'error', 'errorDetail', 'progressDetail', 'message']],
  [/^POST \/containers\//, ['message', 'Warnings']],
  [/^POST \/networks\//, ['message']],
  [/^DELETE /, ['message']],
];

/** Cuts an exchange to what is read, takes other clusters out and puts placeholders in. */
export function normaliseExchange(raw: RawExchange, known: KnownValues): Exchange {
  const request = replaceKnown(decodeURIComponent(raw.request), known);
  const base = { situation: raw.situation, request, status: raw.status };
  const kept = KEPT.find(([pattern]) => pattern.test(raw.request))?.[1];
  if (!kept) throw new Error(`nothing is said about what to keep of the answer to ${raw.request}`);
  const clean = (value: Json): Json => volatile(replaceDeep(cut(value, kept, ''), known));
  if (/^(GET \/events|POST \/images\/create)/.test(raw.request) && raw.status < 300) {
    const messages = raw.text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as Json)
      .filter((message) => isOurs(message, known.cluster));
    return { ...base, stream: messages.map(clean) };
  }
  if (raw.text === '') return base;
  const isArchive = /^GET \/containers\/[^/]+\/archive/.test(raw.request) && raw.status < 300;
  // The answer to a ping is a word, and no JSON; so is Podman's to a change of a network.
  const isWord =
    raw.request === 'GET /_ping' || (raw.request.startsWith('POST /networks/') && raw.status < 300);
  let body = isArchive ? unpack(raw.text) : isWord ? raw.text : (JSON.parse(raw.text) as Json);
  if (raw.request.startsWith('GET /containers/json')) body = ours(body, known.cluster);
  if (raw.request.startsWith('GET /images/json')) {
    body = (body as Json[]).filter((image) => JSON.stringify(image).includes('kindest/node:'));
  }
  if (raw.request === 'GET /volumes') {
    const { Volumes = [] } = body as { Volumes?: Json[] };
    body = { Volumes: Volumes.filter((volume) => JSON.stringify(volume).includes(`${known.cluster}-`)) };
  }
  return { ...base, body: clean(body) };
}

/** The one file of an archive whose content is plain ASCII, so that characters are bytes. */
function unpack(archive: string): Json {
  const size = parseInt(archive.slice(124, 136), 8);
  return {
    name: archive.slice(0, archive.indexOf('\0')),
    content: replaceSecrets(archive.slice(512, 512 + size)),
  };
}

/** Output of kind that depends on the host or on chance. */
const INCIDENTAL = [
  /^Have a (nice day|question)/,
  /^Not sure what to do next/,
  /^Thanks for using kind/,
  /^cgroup v1 is deprecated/,
  /failed to connect to syslog/,
];

export function isIncidental(text: string): boolean {
  return INCIDENTAL.some((pattern) => pattern.test(text));
}

/** Whether a line is kind's own and not one of kubeadm's, whose output belongs to the node image. */
export function isKindsOwn(text: string): boolean {
  return /^( [•✓✗] |ERROR: |Creating |Deleting |Deleted |Set kubectl |Exporting |using |enabling |kind v|No )/.test(
    text,
  );
}

export function normaliseRun(run: KindRun, known: KnownValues): KindRun {
  const text = (value: string): string => replaceKnown(replaceSecrets(value), known);
  return {
    situation: run.situation,
    args: run.args.map(text),
    environment: Object.fromEntries(
      Object.entries(run.environment).map(([name, value]) => [name, text(value)]),
    ),
    exitCode: run.exitCode,
    output: run.output.map((line) => ({ stream: line.stream, text: klog(text(line.text)) })),
  };
}

/** Times and process numbers at the beginning of what kubeadm logs, and the times that it waited. */
function klog(text: string): string {
  return text
    .replace(/\b([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6}\s+\d+ /, '$10101 00:00:00.000000 1 ')
    .replace(/\b\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\b/g, '2026/01/01 00:00:00')
    .replace(/\b[0-9a-f]{64}\b/g, '{id}')
    .replace(/https:\/\/127\.0\.0\.1:(\d+|\{port\})/g, '{server}')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:{port}');
}

function replaceSecrets(text: string): string {
  return text
    .replace(/(certificate-authority-data: )\S+/, '$1{certificate-authority}')
    .replace(/(client-certificate-data: )\S+/, '$1{client-certificate}')
    .replace(/(client-key-data: )\S+/, '$1{client-key}')
    .replace(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, '{bootstrap-token}');
}

function replaceKnown(text: string, { placeholders }: KnownValues): string {
  let result = text;
  for (const [value, placeholder] of placeholders) result = result.replaceAll(value, placeholder);
  return result;
}

function replaceDeep(value: Json, known: KnownValues): Json {
  if (typeof value === 'string') return replaceKnown(value, known);
  if (Array.isArray(value)) return value.map((entry) => replaceDeep(entry, known));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [replaceKnown(key, known), replaceDeep(entry, known)]),
  );
}

function cut(value: Json, kept: readonly string[], path: string): Json {
  if (Array.isArray(value)) return value.map((entry) => cut(entry, kept, path));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]): [string, Json][] => {
      const own = path === '' ? key : `${path}.${key}`;
      if (kept.some((pattern) => matches(pattern, own))) return [[key, entry]];
      const above = kept.some((pattern) => matches(pattern.split('.').slice(0, depth(own)).join('.'), own));
      return above ? [[key, cut(entry, kept, own)]] : [];
    }),
  );
}

function matches(pattern: string, path: string): boolean {
  const parts = pattern.split('.');
  const own = path.split('.');
  return parts.length === own.length && parts.every((part, index) => part === '*' || part === own[index]);
}

function depth(path: string): number {
  return path.split('.').length;
}

/** Times keep their notation and lose their value; addresses and ports become the same each time. */
function volatile(value: Json, key = ''): Json {
  if (typeof value === 'string') {
    if (/^0001-/.test(value)) return value;
    if (key === 'HostPort') return '40001';
    // The engine's own names of what it made within.
    if (key === 'message') return value.replace(/\b[0-9a-f]{64}\b/g, '{id}');
    return value
      .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?/, (_, fraction: string | undefined) =>
        '2026-01-02T03:04:05'.concat((fraction ?? '').replaceAll(/\d/g, '0')),
      )
      .replace(/^(Up|Exited \(\d+\)) .*$/, '$1 {age}');
  }
  if (typeof value === 'number') {
    if (key === 'Created' || key === 'time') return 1_767_322_800;
    if (key === 'timeNano') return 1_767_322_800_000_000_000;
    if (key === 'PublicPort') return 40_001;
    return value;
  }
  // The rest of a node's environment may contain the proxy of the machine, with its password.
  if (key === 'Env') return (value as string[]).filter((entry) => entry.startsWith('KIND_'));
  if (Array.isArray(value)) return value.map((entry) => volatile(entry, key));
  if (value === null) return value;
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, volatile(entry, name)]));
}

function ours(list: Json, cluster: string): Json {
  if (!Array.isArray(list)) return list;
  return list.filter((entry) => isOurs(entry, cluster));
}

/** Messages without a cluster, such as those of a pull, are always ours. */
function isOurs(entry: Json, cluster: string): boolean {
  const { Labels, Actor } = entry as {
    Labels?: Record<string, string>;
    Actor?: { Attributes?: Record<string, string> };
  };
  const owner = (Labels ?? Actor?.Attributes)?.['io.x-k8s.kind.cluster'];
  return owner === undefined || owner === cluster;
}
