import { Ajv, type AnySchema, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { lineOf, overlay, parseValues, type Values, type ValuesProblem } from './parse-values.js';

const MAX_PROBLEMS = 10;

export interface SchemaCheck {
  /** JSON. */
  schema: string;
  defaults: string;
  values: string;
  /** The values as the user wrote them, for line numbers. */
  written: string;
}

/** Violations of the schema by values that the user supplied. */
export function schemaProblems({ schema, defaults, values, written }: SchemaCheck): ValuesProblem[] {
  const given = parseValues(values);
  const place = lineOf(written);
  return errorsOf(JSON.parse(schema) as object, overlay(defaultValues(defaults), given))
    .map(pathAndProblem)
    .filter(({ path }) => isGiven(given, path))
    .slice(0, MAX_PROBLEMS)
    .map(({ path, problem }) => ({
      ...(place(path) ?? { line: null, column: null }),
      path: pathText(path),
      problem,
    }));
}

/** Empty if they are invalid, which helm reports. */
function defaultValues(text: string): Values {
  try {
    return parseValues(text);
  } catch {
    return {};
  }
}

function errorsOf(schema: object, values: Values): ErrorObject[] {
  const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
  const { $schema: draft, ...rest } = schema as { $schema?: string };
  const ajv = /2019-09|2020-12/.test(draft ?? '') ? new Ajv2020(options) : new Ajv(options);
  // Ajv and helm treat other drafts as draft 7.
  const validate = ajv.compile(rest as AnySchema);
  return validate(values) ? [] : (validate.errors ?? []);
}

function pathAndProblem(error: ErrorObject): { path: (string | number)[]; problem: string } {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const params = error.params as { additionalProperty?: string; allowedValues?: unknown[] };
  if (params.additionalProperty !== undefined) {
    return { path: [...path, params.additionalProperty], problem: 'is not a value of the chart' };
  }
  const allowed = params.allowedValues
    ? `: ${params.allowedValues.map(String).join(', ').slice(0, 200)}`
    : '';
  return { path, problem: `${error.message?.slice(0, 500) ?? 'is invalid'}${allowed}` };
}

function isGiven(given: Values, path: readonly (string | number)[]): boolean {
  let value: unknown = given;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return false;
    value = (value as Record<string | number, unknown>)[part];
  }
  return path.length > 0;
}

function pathText(path: readonly (string | number)[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}
