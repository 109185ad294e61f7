import { WorkProcess } from '../../../core/work/index.js';
import type { Chart } from '../package-manager.js';
import { parseValues, valuesRefused, type ValuesProblem } from './parse-values.js';
import type { SchemaCheck } from './schema-problems.js';

/** The schema of an untrusted chart may need unlimited time or memory. */
const schemas = new WorkProcess(import.meta.url, 'values-process', { milliseconds: 3000, memoryMb: 192 });
const values = new WorkProcess(import.meta.url, 'values-process');

/** `parseValues` for values of any size. */
export const readValues = values.forAnySize(parseValues);

/**
 * Checks values against the schema of a chart. Problems with other values are left to helm, which also knows the schemas
 * of dependencies.
 * @param given valid values.
 * @param written the values as the user wrote them, for line numbers.
 * @throws DomainError `values_refused` with the paths.
 */
export async function checkSchema(
  { schema, defaultValues: defaults }: Pick<Chart, 'schema' | 'defaultValues'>,
  given: string,
  written = given,
): Promise<void> {
  if (schema === null) return;
  const problems = await problemsOf({ schema, defaults, values: given, written });
  if (problems.length === 0) return;
  const sentences = problems.map(
    ({ line, path, problem }) => `${path} ${problem}${line === null ? '' : ` (line ${line})`}`,
  );
  throw valuesRefused(`The values violate the chart's schema: ${sentences.join('; ')}.`, problems);
}

async function problemsOf(check: SchemaCheck): Promise<ValuesProblem[]> {
  try {
    return await schemas.run<ValuesProblem[]>('schemaProblems', [check]);
  } catch {
    // The schema has external references, is invalid, or takes too long. helm still checks it.
    return [];
  }
}
