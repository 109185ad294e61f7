import type { LoggedContainer } from '../../runtime/index.js';
import { pick, type LogScript, type Moment } from './demo-log.js';

/** A container of the demo's machine that is no node: what a developer has beside a cluster. */
export interface MachineContainer extends LoggedContainer {
  script: LogScript;
}

const CREATED = '2026-09-30T15:12:40.000Z';

const STATEMENTS = [
  'SELECT id, total FROM orders WHERE customer = $1 ORDER BY created_at DESC LIMIT 20',
  "UPDATE carts SET state = 'paid' WHERE id = $1",
  'INSERT INTO payments (order_id, amount, currency) VALUES ($1, $2, $3)',
];

const postgres: LogScript = {
  start: [
    'PostgreSQL Database directory appears to contain a database; Skipping initialization',
    'starting PostgreSQL 17.6 on x86_64-pc-linux-musl, compiled by gcc (Alpine 14.2.0) 14.2.0, 64-bit',
    'listening on IPv4 address "0.0.0.0", port 5432',
    'database system was shut down at 2026-09-30 15:12:31 UTC',
    'database system is ready to accept connections',
  ].map((line, index) =>
    index === 0 ? line : `2026-09-30 15:12:40.${110 + index * 35} UTC [1] LOG:  ${line}`,
  ),
  seconds: 6,
  stream: 'stderr',
  say: ({ at, number, dice }) => {
    const stamp = `${new Date(at).toISOString().replace('T', ' ').replace('Z', '')} UTC [${40 + (number % 60)}]`;
    const choice = dice(1);
    if (choice < 0.06) {
      return [
        `${stamp} ERROR:  duplicate key value violates unique constraint "payments_order_id_key"`,
        `${stamp} DETAIL:  Key (order_id)=(o-${10_000 + (number % 90_000)}) already exists.`,
        `${stamp} STATEMENT:  ${STATEMENTS[2]}`,
      ];
    }
    if (choice < 0.16) {
      return `${stamp} LOG:  checkpoint complete: wrote ${Math.floor(dice(2) * 200)} buffers (${(dice(2) * 2).toFixed(1)}%); 0 WAL file(s) added, 0 removed, 1 recycled; write=${(dice(3) * 9).toFixed(3)} s, sync=0.006 s, total=${(dice(3) * 9 + 0.02).toFixed(3)} s`;
    }
    if (choice < 0.22) return `${stamp} FATAL:  canceling authentication due to timeout`;
    return `${stamp} LOG:  duration: ${(dice(4) * 40).toFixed(3)} ms  execute <unnamed>: ${pick(STATEMENTS, dice(5))}`;
  },
};

const redis: LogScript = {
  start: [
    '1:C 30 Sep 2026 15:12:40.031 * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo',
    '1:C 30 Sep 2026 15:12:40.031 * Redis version=8.2.1, bits=64, commit=00000000, modified=0, pid=1, just started',
    '1:M 30 Sep 2026 15:12:40.033 * Running mode=standalone, port=6379.',
    '1:M 30 Sep 2026 15:12:40.034 * Ready to accept connections tcp',
  ],
  seconds: 15,
  say: ({ at, dice }) => {
    const stamp = redisDate(at);
    const child = 100 + Math.floor(dice(1) * 800);
    const choice = dice(2);
    if (choice < 0.1) {
      return `1:M ${stamp} # WARNING Memory usage is at ${(80 + dice(3) * 15).toFixed(1)} % of maxmemory; keys are evicted (allkeys-lru)`;
    }
    if (choice < 0.2) return `1:M ${stamp} - Accepted 172.17.0.1:${40_000 + Math.floor(dice(4) * 20_000)}`;
    return [
      `1:M ${stamp} * 100 changes in 300 seconds. Saving...`,
      `1:M ${stamp} * Background saving started by pid ${child}`,
      `${child}:C ${stamp} * DB saved on disk`,
      `1:M ${stamp} * Background saving terminated with success`,
    ];
  },
};

const PATHS = ['/v1/payment_intents', '/v1/charges', '/v1/customers', '/v1/refunds', '/v1/events'];

const stripeMock: LogScript = {
  start: ['stripe-mock 0.197.0', 'Routing to 628 endpoints', 'Listening for HTTP at address: [::]:12111'],
  seconds: 3,
  say: (moment) => JSON.stringify(request(moment)),
};

function request({ at, number, dice }: Moment): Record<string, unknown> {
  const choice = dice(1);
  const status = choice < 0.04 ? 500 : choice < 0.1 ? 429 : choice < 0.16 ? 402 : 200;
  return {
    time: new Date(at).toISOString(),
    level: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info',
    msg: status >= 500 ? 'handler panicked: connection refused' : 'request',
    method: dice(2) < 0.6 ? 'POST' : 'GET',
    path: pick(PATHS, dice(3)),
    status,
    duration_ms: Math.round(dice(4) * 180) / 10,
    request_id: `req_${number.toString(36).padStart(8, '0')}`,
  };
}

function redisDate(at: number): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? [];
  return `${day} ${month} ${year} ${time}.${String(at % 1000).padStart(3, '0')}`;
}

export const MACHINE_CONTAINERS: readonly MachineContainer[] = [
  container(1, 'postgres', 'docker.io/library/postgres:17-alpine', postgres, 'shop'),
  container(2, 'redis-cache', 'docker.io/library/redis:8.2', redis, 'shop'),
  container(3, 'stripe-mock', 'docker.io/stripe/stripe-mock:v0.197.0', stripeMock),
];

function container(
  number: number,
  name: string,
  image: string,
  script: LogScript,
  project?: string,
): MachineContainer {
  return {
    id: number.toString(16).padStart(64, 'c'),
    name,
    image,
    state: 'running',
    labels: project === undefined ? {} : { 'com.docker.compose.project': project },
    createdAt: CREATED,
    script,
  };
}
