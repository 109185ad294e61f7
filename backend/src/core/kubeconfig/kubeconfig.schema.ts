import { readFileSync } from 'node:fs';
import { Ajv, type SchemaObject } from 'ajv';
import { pointerPath } from '../values/index.js';
import { yamlValue } from '../yaml/index.js';

export type Section = 'clusters' | 'contexts' | 'users';
export type Fields = Readonly<Record<string, unknown>>;

export interface NamedItem {
  name?: string | null;
  cluster?: Fields | null;
  context?: Fields | null;
  user?: Fields | null;
}

/** The parts of a kubeconfig that kubectl reads. */
export type Kubeconfig = { [name in Section]?: (NamedItem | null)[] | null } & {
  'current-context'?: string | null;
};

/** The build copies the file beside the bundled server. */
const file = readFileSync(new URL('./kubeconfig.schema.yaml', import.meta.url), 'utf8');
const formats = { byte: isBase64 };

export const isKubeconfig = new Ajv({ formats, strict: true }).compile<Kubeconfig>(
  yamlValue(file) as SchemaObject,
);

const PROBLEMS: Readonly<Record<string, string>> = {
  array: 'must be a list',
  boolean: 'must be true or false',
  object: 'must be a map',
  string: 'must be text. Put it in quotes',
};

/** Where and why `isKubeconfig` has rejected a content, without any part of it. */
export function problemOf({ errors }: typeof isKubeconfig): {
  path: (string | number)[];
  problem: string;
} {
  const { keyword, instancePath = '', params = {} } = errors?.[0] ?? {};
  const problem = PROBLEMS[String((params as Fields)['type'])] ?? 'must be base64';
  return { path: keyword === 'enum' ? [] : pointerPath(instancePath), problem };
}

function isBase64(text: string): boolean {
  // As in Go, line breaks do not count.
  const data = text.replace(/[\r\n]/g, '');
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
