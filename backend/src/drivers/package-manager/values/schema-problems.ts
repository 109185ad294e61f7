import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { anything, list, parseJson, record, text } from '../../../core/parsing/index.js';
import { pathText, pointerPath, recordOf } from '../../../core/values/index.js';
import { lineOf, overlay, parseValues, type Values, type ValuesProblem } from './parse-values.js';

const MAX_PROBLEMS = 10;

const schemaParams = record({ additionalProperty: text(), allowedValues: list(anything) });

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
  return errorsOf(recordOf(parseJson(schema)), overlay(defaultValues(defaults), given))
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

function errorsOf({ $schema: draft, ...schema }: Record<string, unknown>, values: Values): ErrorObject[] {
  const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
  const isRecent = typeof draft === 'string' && /2019-09|2020-12/.test(draft);
  const ajv = isRecent ? new Ajv2020(options) : new Ajv(options);
  // Ajv and helm treat other drafts as draft 7.
  const validate = ajv.compile(schema);
  return validate(values) ? [] : (validate.errors ?? []);
}

function pathAndProblem(error: ErrorObject): { path: (string | number)[]; problem: string } {
  const path = pointerPath(error.instancePath);
  const params = schemaParams(error.params) ?? {};
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
    value = Reflect.get(value, part);
  }
  return path.length > 0;
}
