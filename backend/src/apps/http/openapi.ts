import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODES_EXTENSION, ErrorDto, errorResponses } from '../../core/api/index.js';
import type { ErrorCode } from '../../core/errors/index.js';
import { PUBLIC_EXTENSION, SCOPE_EXTENSION, type RouteScopeName } from '../../core/security/index.js';

export interface DocumentTexts {
  title: string;
  /** Paragraphs. */
  description: readonly string[];
  version: string;
  /** Whether all clients need a bearer token, or only those that are not exempt. */
  signIn: 'required' | 'unless exempt';
  /** Modules whose routes the document of the other application describes. */
  omits?: readonly object[];
}

/** Part of both descriptions. */
export const ACCESS_TOKEN_TEXT =
  'Access tokens have a scope. `x-token-scope` is the scope that a route requires: `read`, `full`, `dry-run` (`read` with `dry_run`, otherwise `full`), or `session`, which does not accept access tokens.';

export function createOpenApiDocument(app: INestApplication, texts: DocumentTexts): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle(texts.title)
    .setDescription(texts.description.join('\n\n'))
    .setVersion(texts.version);
  const modules = [...app.get(ModulesContainer).values()].map(({ metatype }) => metatype);
  const document = SwaggerModule.createDocument(app, builder.addBearerAuth().build(), {
    include: modules.filter((module) => !texts.omits?.includes(module)),
    extraModels: [ErrorDto],
    operationIdFactory: (controller, method) =>
      `${controller.replace(/Controller$/, '').toLowerCase()}_${method}`,
  });
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = operations[method];
      if (!operation) continue;
      const codes = takeErrorCodes(operation);
      if (path.includes('/clusters/{name}')) codes.add('cluster_not_found').add('cluster_ambiguous');
      addSecurity(operation, texts.signIn, method, codes);
      addErrorResponses(document, operation, method, codes);
      describeYamlBody(operation);
    }
  }
  return document;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
type Method = (typeof METHODS)[number];
type Operation = NonNullable<OpenAPIObject['paths'][string][Method]>;

/** A YAML body is the plain text, without the field that contains it in JSON. */
function describeYamlBody({ requestBody }: Operation): void {
  const content = requestBody && 'content' in requestBody ? requestBody.content : {};
  const yaml = content['application/yaml'];
  if (!yaml) return;
  const examples = Object.fromEntries(
    Object.entries((yaml.examples ?? {}) as Record<string, { value: { config: string } }>).map(
      ([name, example]) => [name, { ...example, value: example.value.config }],
    ),
  );
  content['application/yaml'] = { schema: { type: 'string' }, examples };
}

/** The error codes that a route declares. The document lists them as responses. */
function takeErrorCodes(operation: Operation): Set<ErrorCode> {
  const extensions = operation as unknown as Record<string, unknown>;
  const codes = new Set((extensions[ERROR_CODES_EXTENSION] ?? []) as ErrorCode[]);
  Reflect.deleteProperty(extensions, ERROR_CODES_EXTENSION);
  return codes;
}

/** Every route that is not `@Public` requires a token, or returns 401. The scope defaults to that of its method. */
function addSecurity(
  operation: Operation,
  signIn: DocumentTexts['signIn'],
  method: Method,
  codes: Set<ErrorCode>,
): void {
  if (PUBLIC_EXTENSION in operation) return;
  operation.security = signIn === 'required' ? [{ bearer: [] }] : [{}, { bearer: [] }];
  codes.add('unauthorized');
  if (signIn === 'unless exempt') codes.add('looking_for_engines');
  const extensions = operation as unknown as Record<string, unknown>;
  const scope = (extensions[SCOPE_EXTENSION] ?? (method === 'get' ? 'read' : 'full')) as RouteScopeName;
  extensions[SCOPE_EXTENSION] = scope;
  if (scope !== 'read') codes.add('insufficient_scope');
}

/** Adds the error responses of the route, and those that every route can have through middleware and guards. */
function addErrorResponses(
  document: OpenAPIObject,
  operation: Operation,
  method: Method,
  codes: Set<ErrorCode>,
): void {
  // Also for routes without a body: if a client sends one, it is parsed and rejected.
  codes.add('invalid_input').add('malformed_body');
  codes.add('forbidden_host').add('forbidden_origin').add('forbidden_proxy');
  codes.add('request_timeout').add('headers_too_large').add('starting').add('shutting_down');
  if (method !== 'get') {
    codes.add('payload_too_large').add('unsupported_media_type');
    codes.add('too_many_requests');
  }
  codes.add('internal');
  document.components ??= {};
  const examples = (document.components.examples ??= {});
  const responses = (document.components.responses ??= {});
  for (const [status, { description, byCode }] of errorResponses([...codes])) {
    Object.assign(examples, byCode);
    const name = Object.keys(byCode).join('.');
    responses[name] = {
      description,
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(ErrorDto) },
          examples: Object.fromEntries(
            Object.keys(byCode).map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    };
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}
