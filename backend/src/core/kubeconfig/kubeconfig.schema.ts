import { readFileSync } from 'node:fs';
import { Ajv, type SchemaObject, type ValidateFunction } from 'ajv';
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

let validator: ValidateFunction<Kubeconfig> | undefined;

/** Compiled when it is first needed, since that takes a tenth of a start. */
function validate(content: unknown): ValidateFunction<Kubeconfig>['errors'] {
  if (!validator) {
    // The build copies the file beside the bundled server.
    const file = readFileSync(new URL('./kubeconfig.schema.yaml', import.meta.url), 'utf8');
    const ajv = new Ajv({ formats: { byte: isBase64 }, strict: true });
    validator = ajv.compile<Kubeconfig>(yamlValue(file) as SchemaObject);
  }
  return validator(content) ? null : validator.errors;
}

export function isKubeconfig(content: unknown): content is Kubeconfig {
  return validate(content) === null;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  array: 'must be a list',
  boolean: 'must be true or false',
  object: 'must be a map',
  string: 'must be text. Put it in quotes',
};

/** Where and why `isKubeconfig` rejects a content, without any part of it. */
export function problemOf(content: unknown): { path: (string | number)[]; problem: string } {
  const { keyword, instancePath = '', params = {} } = validate(content)?.[0] ?? {};
  const problem = PROBLEMS[String((params as Fields)['type'])] ?? 'must be base64';
  return { path: keyword === 'enum' ? [] : pointerPath(instancePath), problem };
}

function isBase64(text: string): boolean {
  // As in Go, line breaks do not count.
  const data = text.replace(/[\r\n]/g, '');
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
