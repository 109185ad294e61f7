import { WorkThread } from '../../../core/threads/index.js';
import type { Chart } from '../package-manager.js';
import { parseValues, valuesRefused, type ValuesProblem } from './parse-values.js';
import type { SchemaQuestion } from './schema-problems.js';

/** A schema comes with a chart from anywhere: it may take for ever, or all memory, on purpose. */
const schemas = new WorkThread(import.meta.url, 'schema-thread', { milliseconds: 3000, memoryMb: 192 });
const charts = new WorkThread(import.meta.url, 'values-thread');

/** `parseValues` for values of any size. */
export const readValues = charts.forAnySize(parseValues);

/**
 * Holds values against a chart's schema, and names the path of each that it refuses. What the schema says of values
 * that were not given is left to helm, which knows what charts within the chart add.
 * @param values that `parseValues` reads.
 * @param written the same as they were written, to find lines in.
 * @throws DomainError `values_refused`
 */
export async function checkSchema(
  { schema, defaultValues: own }: Pick<Chart, 'schema' | 'defaultValues'>,
  values: string,
  written = values,
): Promise<void> {
  if (schema === null) return;
  const problems = await problemsOf({ schema, own, values, written });
  if (problems.length === 0) return;
  const sentences = problems.map(
    ({ line, path, problem }) => `${path} ${problem}${line === null ? '' : ` (line ${line})`}`,
  );
  throw valuesRefused(`The chart's schema refuses these values: ${sentences.join('; ')}.`, problems);
}

async function problemsOf(question: SchemaQuestion): Promise<ValuesProblem[]> {
  try {
    return await schemas.run<ValuesProblem[]>('schemaProblems', [question]);
  } catch {
    // One that refers to others, or that cannot be compiled or ended: helm judges alone.
    return [];
  }
}
