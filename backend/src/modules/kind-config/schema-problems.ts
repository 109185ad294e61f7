import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { pointerPath } from '../../core/values/index.js';
import type { KindConfig } from './kind-config.js';
import { kindConfigSchema } from './kind-config.schema.js';

type Path = (string | number)[];

/** A problem that the schema finds. */
export interface SchemaProblem {
  path: Path;
  /** Whether the key is the problem, and not the value. */
  atKey: boolean;
  problem: string;
  /** The value that is wrong or missing, for rules that cannot be checked without it. */
  cause: Path;
}

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a map',
  integer: 'a whole number',
  boolean: 'true or false',
  string: 'text',
};

let validate: ValidateFunction<KindConfig> | undefined;

export function schemaProblems(value: unknown): SchemaProblem[] {
  // When it is first needed, since compiling it takes a twentieth of a start.
  validate ??= new Ajv({ allErrors: true, verbose: true, strict: true }).compile<KindConfig>(
    kindConfigSchema,
  );
  return validate(value) ? [] : (validate.errors ?? []).map(explain);
}

/** The parts of a config without problems, as far as they are in their places. */
export function withoutProblems(value: unknown, problems: readonly SchemaProblem[]): KindConfig {
  // Without a document, the config is that of a default cluster.
  const rest = problems.some(({ path }) => path.length === 0 && !isMap(value)) ? {} : structuredClone(value);
  for (const { cause } of problems) {
    const parent = valueAt(rest, cause.slice(0, -1));
    const key = cause.at(-1) ?? '';
    // A node or port that is not a map.
    if (Array.isArray(parent)) parent[Number(key)] = {};
    else if (parent !== undefined) Reflect.deleteProperty(parent, key);
  }
  return rest as KindConfig;
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(value: unknown, path: Path): object | undefined {
  let inner = value;
  for (const part of path) inner = (inner as Record<string, unknown> | undefined)?.[part];
  return typeof inner === 'object' && inner !== null ? inner : undefined;
}

function explain(error: ErrorObject): SchemaProblem {
  const parent = pointerPath(error.instancePath);
  const params = error.params as Record<string, unknown>;
  const unknownKey =
    error.keyword === 'additionalProperties' ? String(params['additionalProperty']) : undefined;
  const missing = error.keyword === 'required' ? String(params['missingProperty']) : undefined;
  const path = unknownKey === undefined ? parent : [...parent, unknownKey];
  return {
    path,
    atKey: unknownKey !== undefined,
    problem: sentence(error, params, unknownKey),
    cause: missing === undefined ? path : [...path, missing],
  };
}

function sentence(
  error: ErrorObject,
  params: Record<string, unknown>,
  unknownKey: string | undefined,
): string {
  switch (error.keyword) {
    case 'additionalProperties': {
      const known = Object.keys(
        (error.parentSchema as { properties?: object } | undefined)?.properties ?? {},
      );
      const near = known.find((key) => key.toLowerCase() === unknownKey?.toLowerCase());
      return near ? `is an unknown field; did you mean ${near}?` : 'is an unknown field';
    }
    case 'required':
      return `must have ${String(params['missingProperty'])}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as string[]).join(', ')}`;
    case 'const':
      return `must be ${String(params['allowedValue'])}`;
    case 'type':
      return `must be ${TYPES[String(params['type'])]}`;
    case 'pattern':
      return error.instancePath === '/name'
        ? 'must have only lowercase letters, digits, dots and hyphens'
        : 'must be an image reference, such as docker.io/kindest/node:v1.34.4';
    default:
      return error.message ?? 'is not valid';
  }
}
