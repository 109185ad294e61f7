import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { readProject } from '../../core/config/index.js';
import { createOpenApiDocument, type DocumentTexts } from './openapi.js';

/** Serves Swagger UI at /docs. The OpenAPI document is created on first use. */
export function serveDocumentation(app: NestExpressApplication, texts: DocumentTexts): void {
  let document: OpenAPIObject | undefined;
  const get = (): OpenAPIObject => (document ??= createOpenApiDocument(app as INestApplication, texts));
  SwaggerModule.setup('docs', app, get, {
    customSwaggerUiPath: join(readProject().root, 'dist', 'server', 'viewers'),
    useGlobalPrefix: false,
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: `${texts.title} API`,
    customfavIcon: '/favicon.ico',
    swaggerOptions: { tryItOutEnabled: true, displayRequestDuration: true },
  });
}
