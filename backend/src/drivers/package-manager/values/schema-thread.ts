import { parentPort, workerData } from 'node:worker_threads';
import { Ajv, type AnySchema, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Values } from './parse-values.js';

/** What is asked of the thread: whether values are as a schema says. */
export interface SchemaQuestion {
  schema: object;
  values: Values;
}

function errorsOf({ schema, values }: SchemaQuestion): ErrorObject[] {
  const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
  const { $schema: draft, ...rest } = schema as { $schema?: string };
  const ajv = /2019-09|2020-12/.test(draft ?? '') ? new Ajv2020(options) : new Ajv(options);
  // Others than ajv knows are near enough to the seventh, by which helm judges too.
  const validate = ajv.compile(rest as AnySchema);
  return validate(values) ? [] : (validate.errors ?? []);
}

const { data } = workerData as { data: SchemaQuestion };
parentPort?.postMessage(errorsOf(data));
