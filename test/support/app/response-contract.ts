import { Ajv, type ValidateFunction } from 'ajv';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { ApiResponse } from './api-client.js';
import { resolveResponses } from './resolve-responses.js';

interface Schema {
  nullable?: boolean;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  [keyword: string]: unknown;
}

interface Operation {
  name: string;
  method: string;
  path: RegExp;
  responses: Record<string, Response>;
}

interface Response {
  content?: Record<string, { schema?: Schema }>;
}

/**
 * Checks responses against the OpenAPI document. It must document the status, the content type and exactly the fields
 * of each response.
 */
export class ResponseContract {
  private readonly operations: Operation[];
  private readonly ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(document: OpenAPIObject) {
    const schemas = document.components?.schemas ?? {};
    for (const [name, schema] of Object.entries(schemas)) {
      this.ajv.addSchema(toJsonSchema(schema) as object, `#/components/schemas/${name}`);
    }
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): Operation => {
        const pattern = path.replace(/\{[^}]+\}/g, '[^/]+').replaceAll('.', '\\.');
        return {
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path: new RegExp(`^${pattern}$`),
          responses: resolveResponses<Response>(document, operation as { responses: object }),
        };
      }),
    );
  }

  /** All documented statuses below 300, such as `GET /api/v1/clusters 200`. */
  get documentedSuccesses(): string[] {
    return this.operations.flatMap(({ name, responses }) =>
      Object.keys(responses)
        .filter((status) => Number(status) < 300)
        .map((status) => `${name} ${status}`),
    );
  }

  /**
   * @returns the operation and its status, such as `GET /api/v1/clusters 200`; undefined if the path is not documented.
   * @throws Error that lists how the response differs from the document.
   */
  check(method: string, path: string, { status, headers, body, text }: ApiResponse): string | undefined {
    const pathOnly = path.split('?')[0] ?? '';
    // `clusters/check` is an operation and not the cluster "check".
    const operation = this.operations
      .filter((candidate) => candidate.method === method && candidate.path.test(pathOnly))
      .sort((one, other) => one.name.split('{').length - other.name.split('{').length)[0];
    if (!operation) return undefined;
    const what = `${operation.name} ${status}`;
    const response = operation.responses[String(status)];
    if (!response) throw new Error(`${what} is not documented: ${text.slice(0, 500)}`);
    if (status === 204) return what;
    const type = headers['content-type']?.split(';')[0] ?? '';
    const content = response.content?.[type];
    if (!content) {
      throw new Error(
        `${what} has the content type ${type}. Documented: ${Object.keys(response.content ?? {}).join()}`,
      );
    }
    if (!content.schema || type !== 'application/json') return what;
    let validate = this.validators.get(what);
    if (!validate) {
      validate = this.ajv.compile(toJsonSchema(content.schema) as object);
      this.validators.set(what, validate);
    }
    if (!validate(body)) {
      throw new Error(
        `${what} does not match its schema: ${this.ajv.errorsText(validate.errors)}\n${text.slice(0, 1000)}`,
      );
    }
    return what;
  }
}

/** Converts `nullable` of OpenAPI 3.0, and rejects properties that are not listed. */
function toJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toJsonSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = schema as Schema;
  const converted = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === 'properties'
        ? Object.fromEntries(
            Object.entries(value as object).map(([name, property]) => [name, toJsonSchema(property)]),
          )
        : toJsonSchema(value),
    ]),
  ) as Schema;
  if (converted.properties && converted.additionalProperties === undefined) {
    converted.additionalProperties = false;
  }
  return nullable ? { anyOf: [converted, { type: 'null' }] } : converted;
}
