import type { ErrorObject } from 'ajv';
import { runInThread, type ThreadLimits } from '../../../core/threads/index.js';
import { lineOf, overlay, valuesRefused, type Values, type ValuesProblem } from './parse-values.js';
import type { SchemaQuestion } from './schema-thread.js';

/** A schema comes with a chart from anywhere: it may take for ever, or all memory, on purpose. */
const LIMITS: ThreadLimits = { milliseconds: 3000, memoryMb: 128 };
const TOLD = 10;

/**
 * Holds values against a chart's schema, and names the path of each that it refuses. What the schema says of values
 * that nobody gave is left to helm, which knows what charts within the chart add.
 * @param text as it was given, to find lines in.
 * @throws DomainError `values_refused`
 */
export async function checkSchema(
  schema: object | null,
  own: Values,
  given: Values,
  text: string,
): Promise<void> {
  if (schema === null) return;
  const problems = (await errorsOf(schema, overlay(own, given)))
    .map(pathAndProblem)
    .filter(({ path }) => isGiven(given, path))
    .slice(0, TOLD)
    .map(({ path, problem }): ValuesProblem => ({
      ...(lineOf(text, path) ?? { line: null, column: null }),
      path: pathText(path),
      problem,
    }));
  if (problems.length === 0) return;
  const sentences = problems.map(
    ({ line, path, problem }) => `${path} ${problem}${line === null ? '' : ` (line ${line})`}`,
  );
  throw valuesRefused(`The chart's schema refuses these values: ${sentences.join('; ')}.`, problems);
}

async function errorsOf(schema: object, values: Values): Promise<ErrorObject[]> {
  try {
    const question: SchemaQuestion = { schema, values };
    return await runInThread<ErrorObject[]>(import.meta.url, 'schema-thread', question, LIMITS);
  } catch {
    // One that refers to others, or that cannot be compiled or ended: helm judges alone.
    return [];
  }
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
  return { path, problem: `${error.message ?? 'is refused'}${allowed}` };
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
