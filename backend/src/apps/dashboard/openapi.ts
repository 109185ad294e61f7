import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { readProject } from '../../core/config/index.js';
import { ErrorDto } from '../../core/api/index.js';

/** The document of the dashboard's API, as `/openapi.json` serves it and the repository keeps it. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const options = new DocumentBuilder()
    .setTitle('Slipway')
    .setDescription(
      [
        'Local Kubernetes clusters: kind on Docker or Podman.',
        'Names are in snake_case, times RFC 3339 in UTC, sizes bytes, percentages 0 to 100 (CPU: 100 per core).',
        'Long operations answer 202 with a job; poll `status_url`. Changes are also pushed over the WebSocket `/events`.',
        'Every error has the one shape of `ErrorDto`; `code` is stable.',
      ].join('\n\n'),
    )
    .setVersion(readProject().version)
    .build();
  return SwaggerModule.createDocument(app, options, {
    extraModels: [ErrorDto],
    operationIdFactory: (controller, method) =>
      `${controller.replace(/Controller$/, '').toLowerCase()}_${method}`,
  });
}
