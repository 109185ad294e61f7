import type { Random } from '../support/logs/log-store.js';
import { closeFrame, frameOf } from './raw-socket.js';

/** Close codes of RFC 6455, 7.4.1. */
const PROTOCOL = 1002;
const NOT_UTF8 = 1007;
const TOO_LARGE = 1009;

/** Bytes of a client, and how the server must close; undefined if it must not. */
export interface Attack {
  what: string;
  bytes: (random: Random) => Buffer;
  code: number | undefined;
}

const PING = frameOf('{"type":"ping"}');

function pings(count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => frameOf('x', { opcode: 9 })));
}

export const ATTACKS: readonly Attack[] = [
  { what: 'no mask', bytes: () => frameOf('{}', { masked: false }), code: PROTOCOL },
  {
    what: 'a reserved opcode',
    bytes: (random) => frameOf('{}', { opcode: random.of([3, 4, 5, 6, 7, 11, 12, 13, 14, 15]) }),
    code: PROTOCOL,
  },
  {
    what: 'reserved bits',
    bytes: (random) => frameOf('{}', { reserved: random.between(1, 7) }),
    code: PROTOCOL,
  },
  { what: 'a ping in parts', bytes: () => frameOf('', { opcode: 9, fin: false }), code: PROTOCOL },
  { what: 'a ping of 126 bytes', bytes: () => frameOf('x'.repeat(126), { opcode: 9 }), code: PROTOCOL },
  { what: 'a continuation of nothing', bytes: () => frameOf('{}', { opcode: 0 }), code: PROTOCOL },
  {
    what: 'a message within another one',
    bytes: () => Buffer.concat([frameOf('{"ty', { fin: false }), frameOf('{}')]),
    code: PROTOCOL,
  },
  {
    what: 'a length of 64 bits',
    bytes: () => frameOf('', { length: 2n ** 63n - 1n }),
    code: TOO_LARGE,
  },
  {
    what: 'more than the limit',
    bytes: (random) => frameOf(random.text(random.between(65_537, 70_000))),
    code: TOO_LARGE,
  },
  {
    what: 'more than the limit in parts',
    bytes: () =>
      Buffer.concat([
        frameOf('[', { fin: false }),
        ...Array.from({ length: 70 }, () => frameOf('1,'.repeat(500), { opcode: 0, fin: false })),
      ]),
    code: TOO_LARGE,
  },
  { what: 'a text that is no UTF-8', bytes: () => frameOf(Buffer.from([0xc3, 0x28])), code: NOT_UTF8 },
  {
    what: 'a close code of no meaning',
    bytes: (random) => closeFrame(random.of([0, 999, 1005, 1006, 5000])),
    code: PROTOCOL,
  },
  { what: 'a close frame of one byte', bytes: () => frameOf('x', { opcode: 8 }), code: PROTOCOL },
  { what: 'a close frame', bytes: (random) => closeFrame(random.of([1000, 1001, 4000]), 'bye'), code: 1000 },
  {
    what: 'frames after a close frame',
    bytes: () => Buffer.concat([closeFrame(1000), frameOf('{"type":"subscribe","topics":["stats"]}')]),
    code: 1000,
  },
  {
    what: 'more messages than allowed',
    bytes: () => Buffer.concat(Array.from({ length: 1000 }, () => PING)),
    code: 1008,
  },
  {
    what: 'empty parts without end',
    bytes: () =>
      Buffer.concat([
        frameOf('', { fin: false }),
        ...Array.from({ length: 5000 }, () => frameOf('', { opcode: 0, fin: false })),
      ]),
    code: undefined,
  },
  { what: 'a few pings', bytes: () => pings(30), code: undefined },
  // ws ends a client that does not read its responses.
  { what: 'pings without end', bytes: () => pings(20_000), code: 1006 },
  { what: 'bytes', bytes: () => frameOf(Buffer.from([0, 255, 254]), { opcode: 2 }), code: undefined },
  { what: 'half a header', bytes: () => Buffer.from([0x81]), code: undefined },
  { what: 'half a frame', bytes: () => frameOf('{"type"', { length: 60n }), code: undefined },
];

/** Four of them fit into one message of `/events`. */
const DEEP = 600;
const HOSTILE_JSON = [
  'null',
  '[]',
  '{',
  '1e400',
  '"__proto__"',
  '{"__proto__":{"type":"ping"}}',
  '{"toString":1,"valueOf":1}',
  '"\\ud800"',
  '"\\u0000"',
  '-1',
  '0.5',
  '9007199254740993',
  '[[[["jobs"]]]]',
  '["jobs",null]',
  '["stats","stats"]',
  '{"length":1,"0":"jobs"}',
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
];
const HOSTILE_TOPICS = [
  'job:0',
  'job:-1',
  'job:1e3',
  'job:99999999999999999999',
  'job:',
  'jobs ',
  'JOBS',
  'constructor',
  '__proto__',
  'overview:',
  'overview:demo/../shop',
  'overview:demo/shop/a,,b',
  'resources:demo/shop/core/v1',
  'resources:demo/shop/core/v1/pods/x',
  'resources:demo/shop/core/v1/po%00ds',
  `resources:demo/${'x'.repeat(5000)}/core/v1/pods`,
];
const TYPES = [
  'subscribe',
  'unsubscribe',
  'ack',
  'resize',
  'watch_source',
  'hello',
  '',
  'constructor',
  '__proto__',
  'toString',
];
const FIELDS = ['topics', 'after', 'source', 'run', 'tail', 'seq', 'bytes', 'columns', 'rows', 'type', 'x'];

/** A message that no application may accept: each subscribes to nothing. */
export function hostileMessage(random: Random): string {
  const roll = random.between(0, 3);
  if (roll === 0) return random.of(HOSTILE_JSON);
  if (roll === 1) return `{"type":${random.of(HOSTILE_JSON)},"topics":["jobs"],"source":1}`;
  if (roll === 2) {
    // One invalid topic makes all of them invalid.
    const topics = ['stats', 'clusters', random.of(HOSTILE_TOPICS)];
    return JSON.stringify({ type: 'subscribe', topics, source: `${random.between(1, 9)}` });
  }
  const fields = Array.from(
    { length: random.between(0, 4) },
    () => `"${random.of(FIELDS)}":${random.of(HOSTILE_JSON)}`,
  );
  // The last of two equal fields counts.
  return `{${[...fields, '"topics":[1]', '"source":-1', `"type":"${random.of(TYPES)}"`].join(',')}}`;
}
