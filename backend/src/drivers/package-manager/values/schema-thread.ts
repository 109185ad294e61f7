import { parentPort, workerData } from 'node:worker_threads';
import { Ajv, type AnySchema, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Values } from './parse-values.js';

/** The main thread is held up for as long as it takes over what is posted: a schema can find a million problems. */
const MOST_PROBLEMS = 10;

/** What is asked of the thread: whether values are as a schema says. */
export interface SchemaQuestion {
  schema: object;
  values: Values;
  /** Those of them that a person gave: problems of others are not told. */
  given: Values;
}

export interface SchemaProblem {
  path: (string | number)[];
  problem: string;
}

function problemsOf(question: SchemaQuestion): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  for (const error of errorsOf(question)) {
    const found = pathAndProblem(error);
    if (isGiven(question.given, found.path)) problems.push(found);
    if (problems.length === MOST_PROBLEMS) break;
  }
  return problems;
}

function errorsOf({ schema, values }: SchemaQuestion): ErrorObject[] {
  const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
  const { $schema: draft, ...rest } = schema as { $schema?: string };
  const ajv = /2019-09|2020-12/.test(draft ?? '') ? new Ajv2020(options) : new Ajv(options);
  // Others than ajv knows are near enough to the seventh, by which helm judges too.
  const validate = ajv.compile(rest as AnySchema);
  return validate(values) ? [] : (validate.errors ?? []);
}

function pathAndProblem(error: ErrorObject): SchemaProblem {
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

const { data } = workerData as { data: SchemaQuestion };
parentPort?.postMessage(problemsOf(data));
