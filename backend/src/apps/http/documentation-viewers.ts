import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { readProject } from '../../core/config/index.js';
import { createOpenApiDocument, type DocumentTexts } from './openapi.js';
import { nonceOf } from './security-headers.js';

/**
 * Redoc adds its styles at run time, with the nonce. Hidden, since it has no options for them: the link to its vendor,
 * and the buttons that send parts of the document to AI assistants.
 */
const redocPage = (title: string, nonce: string, base: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${title} API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta property="csp-nonce" nonce="${nonce}" />
    <link rel="icon" href="${base}/favicon.ico" type="image/svg+xml" />
    <style nonce="${nonce}">
      body { margin: 0 }
      :has(> a[href^='https://redocly.com/']), [data-testid='page-actions'] { display: none !important }
    </style>
  </head>
  <body>
    <redoc spec-url="${base}/openapi.json" disable-telemetry="true"></redoc>
    <script type="module" src="${base}/docs/redoc.standalone.js"></script>
  </body>
</html>
`;

/**
 * Serves Swagger UI at /docs and Redoc at /redoc. The OpenAPI document is created on first use.
 * @param base path below which browsers reach the application
 */
export function serveDocumentation(app: NestExpressApplication, texts: DocumentTexts, base: string): void {
  let document: OpenAPIObject | undefined;
  const get = (): OpenAPIObject => {
    document ??= createOpenApiDocument(app as INestApplication, texts);
    if (base !== '') document.servers = [{ url: base }];
    return document;
  };
  SwaggerModule.setup('docs', app, get, {
    customSwaggerUiPath: join(readProject().root, 'dist', 'server', 'viewers'),
    useGlobalPrefix: false,
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: `${texts.title} API`,
    customfavIcon: `${base}/favicon.ico`,
    // The theme that the user has chosen on the pages.
    customJs: `${base}/theme.js`,
    swaggerOptions: { tryItOutEnabled: true, displayRequestDuration: true },
  });
  app
    .getHttpAdapter()
    .getInstance()
    .get('/redoc', (_request: Request, response: Response) => {
      response
        .setHeader('cache-control', 'no-store')
        .type('text/html')
        .send(redocPage(texts.title, nonceOf(response), base));
    });
}
