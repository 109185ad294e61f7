import { Ajv, type AnySchema, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isMap, lineOf, overlay, parseValues, type Values, type ValuesProblem } from './parse-values.js';

/** As many problems as a person reads. */
const MAX_PROBLEMS = 10;

/** Texts of a chart, and of what it is given. */
export interface SchemaQuestion {
  /** JSON. */
  schema: string;
  /** The chart's own values. */
  own: string;
  values: string;
  /** As they were written, to find lines in. */
  written: string;
}

/** Problems of values that the schema of their chart refuses. Without any where schema or values cannot be read. */
export function schemaProblems({ schema, own, values, written }: SchemaQuestion): ValuesProblem[] {
  const given = parseValues(values);
  const place = lineOf(written);
  return errorsOf(JSON.parse(schema) as object, overlay(ownValues(own), given))
    .map(pathAndProblem)
    .filter(({ path }) => isGiven(given, path))
    .slice(0, MAX_PROBLEMS)
    .map(({ path, problem }) => ({
      ...(place(path) ?? { line: null, column: null }),
      path: pathText(path),
      problem,
    }));
}

/** What cannot be read of a chart's own values is helm's to complain of. */
function ownValues(text: string): Values {
  try {
    const own = parseValues(text);
    return isMap(own) ? own : {};
  } catch {
    return {};
  }
}

function errorsOf(schema: object, values: Values): ErrorObject[] {
  const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
  const { $schema: draft, ...rest } = schema as { $schema?: string };
  const ajv = /2019-09|2020-12/.test(draft ?? '') ? new Ajv2020(options) : new Ajv(options);
  // Others than ajv knows are near enough to the seventh, by which helm judges too.
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
    return { path: [...path, params.additionalProperty], problem: 'is a value that the chart does not know' };
  }
  const allowed = params.allowedValues
    ? `: ${params.allowedValues.map(String).join(', ').slice(0, 200)}`
    : '';
  return { path, problem: `${error.message?.slice(0, 500) ?? 'is refused'}${allowed}` };
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
