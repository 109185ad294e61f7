import { runInThread, type ThreadLimits } from '../../../core/threads/index.js';
import { lineOf, overlay, valuesRefused, type Values, type ValuesProblem } from './parse-values.js';
import type { SchemaProblem, SchemaQuestion } from './schema-thread.js';

/** A schema comes with a chart from anywhere: it may take for ever, or all memory, on purpose. */
const LIMITS: ThreadLimits = { milliseconds: 3000, memoryMb: 128 };

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
  const found = await problemsOf({ schema, values: overlay(own, given), given });
  const problems = found.map(({ path, problem }): ValuesProblem => ({
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

async function problemsOf(question: SchemaQuestion): Promise<SchemaProblem[]> {
  try {
    return await runInThread<SchemaProblem[]>(import.meta.url, 'schema-thread', question, LIMITS);
  } catch {
    // One that refers to others, or that cannot be compiled or ended: helm judges alone.
    return [];
  }
}

function pathText(path: readonly (string | number)[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}
