import { pick, type LogScript, type Moment } from './demo-log.js';
import { MACHINE_CONTAINERS } from './machine-containers.js';
import { klogDate } from './node-journal.js';

/** What a container of a pod is, as far as its log depends on it. */
export interface PodProgram {
  container: string;
  image: string;
  command: string;
  /** Whether it ends by itself. */
  ends: boolean;
}

const PATHS = ['/', '/cart', '/checkout', '/products/4711', '/api/catalogue', '/healthz'];
const AGENTS = ['Mozilla/5.0 (X11; Linux x86_64)', 'curl/8.14.1', 'kube-probe/1.34'];
const ROUTES = ['/catalogue', '/orders', '/payments', '/stock/4711'];

const web: LogScript = {
  start: [
    '/docker-entrypoint.sh: Configuration complete; ready for start up',
    '[notice] 1#1: using the "epoll" event method',
    '[notice] 1#1: start worker processes',
  ],
  seconds: 3,
  say: ({ at, dice, number }) => {
    const status = dice(1) < 0.03 ? 502 : dice(1) < 0.08 ? 404 : 200;
    const request = `"GET ${pick(PATHS, dice(2))} HTTP/1.1" ${status} ${Math.floor(dice(3) * 9000)}`;
    const line = `10.244.0.${2 + (number % 9)} - - [${commonLogDate(at)}] ${request} "-" "${pick(AGENTS, dice(4))}"`;
    if (status !== 502) return line;
    return [
      `[error] 29#29: *${number} connect() failed (111: Connection refused) while connecting to upstream, upstream: "http://10.96.14.7:8080/"`,
      line,
    ];
  },
};

const api: LogScript = {
  start: [
    '{"level":"info","msg":"starting","version":"dev"}',
    '{"level":"info","msg":"listening","addr":":8080"}',
  ],
  seconds: 2,
  say: ({ at, number, dice }) => {
    const choice = dice(1);
    const status = choice < 0.04 ? 504 : choice < 0.1 ? 409 : 200;
    return JSON.stringify({
      ts: new Date(at).toISOString(),
      level: status >= 500 ? 'error' : status >= 400 ? 'warn' : choice > 0.8 ? 'debug' : 'info',
      msg: status >= 500 ? 'upstream timeout' : 'request served',
      route: pick(ROUTES, dice(2)),
      status,
      order: `o-${10_000 + (number % 90_000)}`,
      took_ms: Math.round(dice(3) * (status === 504 ? 30_000 : 120)),
      trace_id: Math.floor(dice(4) * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    });
  },
};

const ledger: LogScript = {
  start: [
    'INFO  com.shop.ledger.Ledger - Starting Ledger using Java 21.0.8 with PID 1',
    'INFO  com.shop.ledger.Ledger - Started Ledger in 3.412 seconds',
  ],
  seconds: 4,
  say: (moment) => {
    const { number, dice } = moment;
    const choice = dice(1);
    if (choice < 0.05) return stackTrace(moment);
    if (choice < 0.12) {
      return `${javaDate(moment)} WARN  com.shop.ledger.Outbox - ${1 + Math.floor(dice(2) * 40)} events wait for a retry`;
    }
    return `${javaDate(moment)} INFO  com.shop.ledger.Journal - posted order=o-${10_000 + (number % 90_000)} amount=${(dice(3) * 200).toFixed(2)} EUR`;
  },
};

function stackTrace(moment: Moment): string[] {
  return [
    `${javaDate(moment)} ERROR com.shop.ledger.Journal - posting failed for order=o-${10_000 + (moment.number % 90_000)}`,
    'java.sql.SQLTransientConnectionException: shop-pool - Connection is not available, request timed out after 30000ms.',
    '\tat com.zaxxer.hikari.pool.HikariPool.createTimeoutException(HikariPool.java:686)',
    '\tat com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:179)',
    '\tat com.shop.ledger.Journal.post(Journal.java:88)',
    '\tat java.base/java.lang.Thread.run(Thread.java:1583)',
    'Caused by: java.net.SocketTimeoutException: connect timed out',
    '\tat java.base/sun.nio.ch.NioSocketImpl.timedFinishConnect(NioSocketImpl.java:546)',
    '\t... 3 more',
  ];
}

const worker: LogScript = {
  start: ['level=info msg="connected to postgres" addr=postgres:5432', 'level=info msg="work begins"'],
  seconds: 1,
  say: ({ at, number, dice }) => {
    const choice = dice(1);
    const level = choice < 0.03 ? 'error' : choice < 0.12 ? 'warn' : 'info';
    const told =
      level === 'error' ? 'row refused' : level === 'warn' ? 'row was there already' : 'row imported';
    return `ts=${new Date(at).toISOString()} level=${level} msg="${told}" row=${number} took=${(dice(2) * 9).toFixed(1)}ms`;
  },
};

const etcd: LogScript = {
  start: ['{"level":"info","caller":"etcdmain/etcd.go:73","msg":"Running: ","args":["etcd"]}'],
  seconds: 10,
  say: ({ at, number, dice }) =>
    JSON.stringify({
      level: dice(1) < 0.1 ? 'warn' : 'info',
      ts: new Date(at).toISOString(),
      caller: dice(1) < 0.1 ? 'txn/util.go:93' : 'mvcc/kvstore_compaction.go:72',
      msg: dice(1) < 0.1 ? 'apply request took too long' : 'finished scheduled compaction',
      ...(dice(1) < 0.1
        ? { took: `${100 + Math.floor(dice(2) * 300)}ms` }
        : { 'compact-revision': 400 + number }),
    }),
};

const coredns: LogScript = {
  start: [
    '.:53',
    '[INFO] plugin/reload: Running configuration SHA512 = 591cf328cccc12bc490481273e738df5',
    'CoreDNS-1.12.1',
  ],
  seconds: 12,
  say: ({ number, dice }) =>
    dice(1) < 0.08
      ? `[ERROR] plugin/errors: 2 registry.shop.invalid. A: read udp 10.244.0.3:${40_000 + (number % 9000)}->172.18.0.1:53: i/o timeout`
      : `[INFO] 10.244.0.${4 + (number % 9)}:${40_000 + (number % 9000)} - ${number} "A IN api.shop.svc.cluster.local. udp 49 false 512" NOERROR qr,aa,rd 96 0.000${100 + Math.floor(dice(2) * 800)}s`,
};

/** A part of Kubernetes itself: klog's own format. */
const klog: LogScript = {
  start: [],
  seconds: 8,
  stream: 'stderr',
  say: ({ at, number, dice }) => {
    const choice = dice(1);
    const letter = choice < 0.04 ? 'E' : choice < 0.14 ? 'W' : 'I';
    const head = `${letter}${klogDate(at)}       1`;
    if (letter === 'E') {
      return `${head} leaderelection.go:436] error retrieving resource lock: context deadline exceeded`;
    }
    if (letter === 'W') {
      return `${head} reflector.go:569] watch of *v1.ConfigMap ended with: too old resource version: ${number}`;
    }
    return `${head} trace.go:236] "Reconciled" key="shop/web" duration="${(dice(2) * 90).toFixed(3)}ms"`;
  },
};

const BY_CONTAINER: Readonly<Record<string, LogScript>> = { web, api, ledger, etcd, coredns };

/** What a container writes. */
export function scriptOf({ container, image, command, ends }: PodProgram): LogScript {
  const echoed = echoOf(command);
  if (echoed) return echoed;
  const known = BY_CONTAINER[container];
  if (known) return known;
  const engine = MACHINE_CONTAINERS.find(({ name }) => image.includes(`/${name.split('-')[0] ?? name}:`));
  if (engine) return engine.script;
  return ends || image.includes('worker') || image.includes('shop/') ? worker : klog;
}

/** A shell that says one thing, once or in a loop. */
function echoOf(command: string): LogScript | undefined {
  const [, said, toStderr] = /\becho (.+?)\s*(>&2)?\s*(?:;|&&|$)/.exec(command) ?? [];
  if (said === undefined) return undefined;
  const text = said.replaceAll(/^["']|["']$/g, '');
  const stream = toStderr === undefined ? 'stdout' : 'stderr';
  if (!/\b(while|until|for)\b/.test(command)) return { start: [text], seconds: null, stream, say: () => [] };
  const [, seconds = '1'] = /\bsleep ([\d.]+)/.exec(command) ?? [];
  return {
    start: [],
    seconds: Number(seconds),
    stream,
    say: ({ number }) => text.replaceAll(/\$\w+/g, String(number)),
  };
}

function javaDate({ at }: Moment): string {
  return new Date(at).toISOString().replace('T', ' ').replace('.', ',').replace('Z', '');
}

/** `22/Nov/2026:13:35:05 +0000` */
function commonLogDate(at: number): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
