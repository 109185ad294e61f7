import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { readProject } from '../../core/config/index.js';
import { createOpenApiDocument, type DocumentTexts } from './openapi.js';

const redocPage = (title: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${title} API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
    <style>body { margin: 0 }</style>
  </head>
  <body>
    <redoc spec-url="/openapi.json" disable-search="true" hide-hostname="true" native-scrollbars="true"></redoc>
    <script src="/redoc/redoc.standalone.js"></script>
  </body>
</html>
`;

/** Serves Swagger UI at /docs and Redoc at /redoc. The OpenAPI document is created on first use. */
export function serveDocumentation(app: NestExpressApplication, texts: DocumentTexts): void {
  let document: OpenAPIObject | undefined;
  const get = (): OpenAPIObject => (document ??= createOpenApiDocument(app as INestApplication, texts));
  const viewers = join(readProject().root, 'dist', 'server', 'viewers');
  SwaggerModule.setup('docs', app, get, {
    customSwaggerUiPath: viewers,
    useGlobalPrefix: false,
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: `${texts.title} API`,
    customfavIcon: '/favicon.ico',
    swaggerOptions: { tryItOutEnabled: true, displayRequestDuration: true },
  });
  const routes = app.getHttpAdapter().getInstance();
  routes.get('/redoc/redoc.standalone.js', (_request: Request, response: Response) => {
    response.sendFile(join(viewers, 'redoc.standalone.js'), {
      cacheControl: false,
      headers: { 'cache-control': 'no-cache' },
      // An installation may be below a folder whose name begins with a period.
      dotfiles: 'allow',
    });
  });
  routes.get('/redoc', (_request: Request, response: Response) => {
    response.type('text/html').send(redocPage(texts.title));
  });
}
