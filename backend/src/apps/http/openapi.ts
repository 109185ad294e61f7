import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODES_EXTENSION, ErrorDto, errorResponses } from '../../core/api/index.js';
import type { ErrorCode } from '../../core/errors/index.js';
import { PUBLIC_EXTENSION, SCOPE_EXTENSION, type RouteScopeName } from '../../core/security/index.js';

/** What an application's API document says of itself. */
export interface DocumentTexts {
  title: string;
  /** Paragraphs. */
  description: readonly string[];
  version: string;
  /** Whether its routes require a token as Bearer from every client, or from those that are not exempt. */
  signIn: 'required' | 'unless exempt';
}

/** For the description of each application. */
export const ACCESS_TOKEN_TEXT =
  'A request that shows an access token is held to its scope. `x-token-scope` states what a route needs: `read`, `full`, `dry-run` (`read` with `dry_run`, otherwise `full`), or `session`, where no access token is enough.';

/** The document of an application's API, as `/openapi.json` serves it. */
export function createOpenApiDocument(app: INestApplication, texts: DocumentTexts): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle(texts.title)
    .setDescription(texts.description.join('\n\n'))
    .setVersion(texts.version);
  const document = SwaggerModule.createDocument(app, builder.addBearerAuth().build(), {
    extraModels: [ErrorDto],
    operationIdFactory: (controller, method) =>
      `${controller.replace(/Controller$/, '').toLowerCase()}_${method}`,
  });
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method];
      if (!operation) continue;
      askForSession(operation, texts.signIn);
      nameScope(operation, method);
      addErrorResponses(document, operation, method);
      describeYamlBody(operation);
    }
  }
  return document;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
type Method = (typeof METHODS)[number];
type Operation = NonNullable<OpenAPIObject['paths'][string][Method]>;

/** A body in YAML is the text alone, without the field that holds it in JSON. */
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

/** Every route that is not `@Public` takes the token, and answers 401 without. */
function askForSession(operation: Operation, signIn: DocumentTexts['signIn']): void {
  const extensions = operation as unknown as Record<string, unknown>;
  if (PUBLIC_EXTENSION in extensions) return;
  operation.security = signIn === 'required' ? [{ bearer: [] }] : [{}, { bearer: [] }];
  const own = (extensions[ERROR_CODES_EXTENSION] ?? []) as ErrorCode[];
  extensions[ERROR_CODES_EXTENSION] = [...new Set<ErrorCode>([...own, 'unauthorized'])];
}

/** What an access token needs: what the route says, or the default of its method. */
function nameScope(operation: Operation, method: Method): void {
  const extensions = operation as unknown as Record<string, unknown>;
  if (PUBLIC_EXTENSION in extensions) return;
  const scope = (extensions[SCOPE_EXTENSION] ?? (method === 'get' ? 'read' : 'full')) as RouteScopeName;
  extensions[SCOPE_EXTENSION] = scope;
  if (scope === 'read') return;
  const own = (extensions[ERROR_CODES_EXTENSION] ?? []) as ErrorCode[];
  extensions[ERROR_CODES_EXTENSION] = [...new Set<ErrorCode>([...own, 'insufficient_scope'])];
}

/** The errors that a route declares, and those that are possible for every route. */
function addErrorResponses(document: OpenAPIObject, operation: Operation, method: Method): void {
  const extensions = operation as unknown as Record<string, unknown>;
  const codes = new Set((extensions[ERROR_CODES_EXTENSION] ?? []) as ErrorCode[]);
  // Also for routes without a body: one that is sent nevertheless is parsed, and refused.
  codes.add('invalid_input').add('malformed_body');
  codes.add('forbidden_host').add('forbidden_origin').add('forbidden_proxy');
  if (method !== 'get') {
    codes.add('payload_too_large').add('unsupported_media_type');
    codes.add('too_many_requests');
  }
  codes.add('internal');
  delete extensions[ERROR_CODES_EXTENSION];
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
