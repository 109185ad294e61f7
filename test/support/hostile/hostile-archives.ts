import { gzipSync } from 'node:zlib';
import { Header, Pax } from 'tar';

interface Entry {
  path: string;
  content?: string | Buffer;
  type?: 'File' | 'Link' | 'SymbolicLink' | 'CharacterDevice' | 'BlockDevice' | 'FIFO';
  linkpath?: string;
  /** Instead of the real one. */
  size?: number;
}

/** Types that the library does not write, such as sparse files. */
interface OtherEntry extends Omit<Entry, 'type'> {
  flag: string;
}

const END = Buffer.alloc(1024);
const CHART = 'apiVersion: v2\nname: hostile\nversion: 1.0.0\n';

/** A tar entry. */
function entry({ path, content = '', type = 'File', linkpath, size }: Entry): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(512);
  const link = linkpath === undefined ? {} : { linkpath };
  new Header({ path, size: size ?? bytes.length, type, mode: 0o644, ...link }).encode(head);
  return Buffer.concat([head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** A tar entry of a type that the library does not write. */
export function entryOfType({ flag, ...rest }: OtherEntry): Buffer {
  const bytes = entry(rest);
  bytes.write(flag, 156);
  bytes.write('        ', 148);
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

function pax(attributes: { path?: string; linkpath?: string; size?: number }): Buffer {
  return new Pax(attributes).encode();
}

function packed(...entries: Buffer[]): Buffer {
  return gzipSync(Buffer.concat([...entries, END]));
}

const chart = entry({ path: 'hostile/Chart.yaml', content: CHART });

/** A packed chart with these files. */
export function hostileChart(files: Readonly<Record<string, string>>): Buffer {
  const all = { 'Chart.yaml': CHART, ...files };
  return packed(...Object.entries(all).map(([path, content]) => entry({ path: `hostile/${path}`, content })));
}

/** Hostile chart archives, which are rejected. */
export const HOSTILE_ARCHIVES: readonly [what: string, bytes: () => Buffer][] = [
  ['a path that climbs', () => packed(chart, entry({ path: 'hostile/../../x', content: 'x' }))],
  ['an absolute path', () => packed(chart, entry({ path: '/tmp/x', content: 'x' }))],
  ['a path of Windows', () => packed(chart, entry({ path: 'hostile\\..\\..\\x', content: 'x' }))],
  [
    'a symbolic link',
    () => packed(chart, entry({ path: 'hostile/x', type: 'SymbolicLink', linkpath: '/etc/passwd' })),
  ],
  [
    'a file behind a symbolic link',
    () =>
      packed(
        chart,
        entry({ path: 'hostile/x', type: 'SymbolicLink', linkpath: '../..' }),
        entry({ path: 'hostile/x/y', content: 'y' }),
      ),
  ],
  ['a hard link', () => packed(chart, entry({ path: 'hostile/x', type: 'Link', linkpath: '/etc/passwd' }))],
  ['a character device', () => packed(chart, entry({ path: 'hostile/x', type: 'CharacterDevice' }))],
  ['a block device', () => packed(chart, entry({ path: 'hostile/x', type: 'BlockDevice' }))],
  ['a named pipe', () => packed(chart, entry({ path: 'hostile/x', type: 'FIFO' }))],
  ['a sparse file', () => packed(chart, entryOfType({ path: 'hostile/x', content: 'x', flag: 'S' }))],
  [
    'a path that climbs in its extended header',
    () => packed(chart, pax({ path: '../../x' }), entry({ path: 'hostile/x', content: 'x' })),
  ],
  [
    'a path that climbs in a long name of GNU',
    () =>
      packed(
        chart,
        entryOfType({ path: '././@LongLink', content: '../../x\0', flag: 'L' }),
        entry({ path: 'hostile/x', content: 'x' }),
      ),
  ],
  [
    'a size in its extended header that is not true',
    () => packed(chart, pax({ size: 8_000_000_000 }), entry({ path: 'hostile/x', content: 'x' })),
  ],
  ['a size of eight gigabytes', () => packed(chart, entry({ path: 'hostile/x', size: 8_000_000_000 }))],
  [
    'an extended header of a megabyte',
    () => packed(pax({ path: `hostile/${'x'.repeat(2_000_000)}` }), chart),
  ],
  [
    'more entries than a chart has',
    () => packed(chart, ...Array.from({ length: 10_001 }, (_, index) => entry({ path: `hostile/${index}` }))),
  ],
  [
    'gigabytes of nothing',
    () => packed(chart, entry({ path: 'hostile/x', content: Buffer.alloc(110_000_000) })),
  ],
  ['no end', () => packed(chart).subarray(0, -40)],
  ['bytes that are not packed', () => Buffer.from('x'.repeat(10_000))],
  ['a packed archive in a packed archive', () => gzipSync(packed(chart))],
  ['no entry', () => packed()],
  ['no byte', () => Buffer.alloc(0)],
  ['two charts', () => packed(chart, entry({ path: 'other/Chart.yaml', content: CHART }))],
  ['two descriptions', () => packed(chart, chart)],
  ['a description of five megabytes', () => hostileChart({ 'Chart.yaml': CHART + '#'.repeat(5_000_000) })],
  ['values of five megabytes', () => hostileChart({ 'values.yaml': '#'.repeat(5_000_000) })],
  ['a schema of five megabytes', () => hostileChart({ 'values.schema.json': ' '.repeat(5_000_000) })],
  [
    'a schema that nests',
    () => hostileChart({ 'values.schema.json': `{"x":${'['.repeat(400_000)}${']'.repeat(400_000)}}` }),
  ],
  ['a schema that is not JSON', () => hostileChart({ 'values.schema.json': '{'.repeat(900_000) })],
];

const keys = (length: number, key: (index: number) => string): string =>
  Array.from({ length }, (_, index) => key(index)).join('');

/** Schemas that are accepted but cannot be evaluated, each with values to check. */
export const HOSTILE_SCHEMAS: readonly [what: string, schema: () => object, values: string][] = [
  [
    'a regex that backtracks for ever',
    () => ({ properties: { x: { type: 'string', pattern: '^(a+)+$' } } }),
    `x: ${'a'.repeat(50)}!\n`,
  ],
  [
    'more errors than memory',
    () => ({ allOf: Array.from({ length: 3000 }, () => ({ additionalProperties: { type: 'boolean' } })) }),
    keys(3000, (index) => `k${index}: 1\n`),
  ],
  ['a reference to itself', () => ({ $ref: '#' }), 'x: 1\n'],
  [
    'references in a circle',
    () => ({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
    'x: 1\n',
  ],
  ['a reference to another server', () => ({ $ref: 'https://203.0.113.1/schema.json' }), 'x: 1\n'],
  ['a reference to a file', () => ({ $ref: 'file:///etc/passwd' }), 'x: 1\n'],
  [
    'doubling references',
    () => ({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [
          `d${index}`,
          { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
        ]),
      ),
    }),
    'x: 1\n',
  ],
  [
    'thirty thousand properties',
    () => ({
      properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, {}])),
    }),
    'x: 1\n',
  ],
  ['a hundred levels', () => deepSchema(45), `${'x: {'.repeat(45)}${'}'.repeat(45)}\n`.replace('{x', '{ x')],
];

function deepSchema(levels: number): object {
  let schema: object = { type: 'object' };
  for (let level = 0; level < levels; level += 1) schema = { properties: { x: schema } };
  return schema;
}
