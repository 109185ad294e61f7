import { join } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ipKeyGenerator } from 'express-rate-limit';
import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { requestShape, requireUtf8, validationPipe, yamlBody } from '../../core/api/index.js';
import { readProject } from '../../core/config/index.js';
import { ErrorFilter } from '../../core/errors/index.js';
import { AccessPolicy, clientOf, HostOriginGuard } from '../../core/security/index.js';
import { KnownBrowsers } from '../../modules/auth/index.js';
import type { Foundation } from '../core.module.js';
import { allowedMethods } from './allowed-methods.js';
import { handleMalformedRequests } from './malformed-requests.js';
import { certificateOf } from './certificate.js';
import { writeRateLimit } from './write-rate-limit.js';
import { concurrencyLimit } from './concurrency-limit.js';
import { CONNECTION_LIMITS, limitConnections } from './connection-limits.js';
import { serveDocumentation } from './documentation-viewers.js';
import { favicon } from './favicon.js';
import { GuardedWsAdapter } from './guarded-ws-adapter.js';
import { notFoundHandler } from './not-found-handler.js';
import { otherApplication, type OtherApplication } from './other-application.js';
import { createOpenApiDocument, type DocumentTexts } from './openapi.js';
import { requireSession, pages, type PageRoute } from './pages.js';
import { requestLog } from './request-log.js';
import { securityHeaders } from './security-headers.js';
import { readParts, StaticFiles } from './static-files.js';

const BODY_LIMIT = '256kb';
/** Objects of a cluster: one may have a megabyte, which is what a config map holds at most. */
const RESOURCE_BODY_LIMIT = '1mb';
const RESOURCE_ROUTES = /^\/api\/v1\/clusters\/[^/]+\/resources(?=\/)/;
const WRITES_PER_MINUTE = 120;

/** What tells one application from the other. */
export interface ApplicationParts {
  module: DynamicModule;
  port: number;
  /** The Angular application of its pages, as it is called in angular.json. */
  frontend: string;
  /** Its first page. */
  home: string;
  pages: readonly PageRoute[];
  beside: OtherApplication;
  /** Of the routes that name no prefix of their own. */
  globalPrefix?: { prefix: string; exclude: string[] };
  document: DocumentTexts;
  /** Called once it listens. */
  begin?: (app: NestExpressApplication) => Promise<void>;
}

export interface ApplicationOptions {
  /** Changing requests that one address may make a minute. */
  writesPerMinute?: number;
}

/** One of the two Nest applications. */
export interface Application {
  app: NestExpressApplication;
  /** The document of its API, as `/openapi.json` serves it. */
  apiDocument: () => OpenAPIObject;
  /** Begins to listen, and takes up what an earlier run left. @returns the port that was bound. */
  listen: () => Promise<number>;
}

/** Builds an application: everything but listening. */
export async function createApplication(
  { configuration, logger }: Foundation,
  parts: ApplicationParts,
  options: ApplicationOptions = {},
): Promise<Application> {
  const tls = certificateOf(configuration, logger);
  // Node gives a client two minutes for the handshake.
  const httpsOptions = tls && { ...tls.read(), handshakeTimeout: CONNECTION_LIMITS.headersMs };
  const app = await NestFactory.create<NestExpressApplication>(parts.module, {
    httpsOptions,
    logger,
    bodyParser: false,
    forceCloseConnections: true,
    abortOnError: false,
  });
  const server = app.getHttpServer();
  limitConnections(server);
  tls?.keepUpToDate(server);
  handleMalformedRequests(server, logger);
  app.disable('x-powered-by');
  app.set('trust proxy', false);
  app.use(requestLog(logger));
  useInOrder(app, parts, options);
  app.useWebSocketAdapter(new GuardedWsAdapter(app, app.get(HostOriginGuard), app.get(AccessPolicy), logger));
  return {
    app,
    apiDocument: () => createOpenApiDocument(app, parts.document),
    listen: async () => {
      await app.init();
      // Behind every route, and so after they are made.
      app.use(notFoundHandler(app.get(ErrorFilter)));
      await app.listen(parts.port, configuration.values.host);
      const { port } = app.getHttpServer().address() as { port: number };
      app.get(HostOriginGuard).open(port);
      await parts.begin?.(app);
      return port;
    },
  };
}

/** The order matters: a request is let in, given its headers and counted before anything reads it. */
function useInOrder(app: NestExpressApplication, parts: ApplicationParts, options: ApplicationOptions): void {
  const gate = app.get(HostOriginGuard);
  const access = app.get(AccessPolicy);
  app.use(securityHeaders());
  app.use((request: Request, _response: Response, next: NextFunction) => {
    gate.checkRequest(request);
    access.prepare(request).then(() => next(), next);
  });
  const browsers = app.get(KnownBrowsers);
  // So that neither other users of this machine nor others behind the same address use up the owner's share.
  const clientKey = (request: Request): string =>
    access.isOpenTo(request)
      ? 'the local user'
      : (browsers.idOf(request) ?? ipKeyGenerator(clientOf(request).address));
  app.use(writeRateLimit(options.writesPerMinute ?? WRITES_PER_MINUTE, clientKey));
  app.use(concurrencyLimit());
  const built = join(readProject().root, 'dist', 'frontend', parts.frontend);
  const files = new StaticFiles(join(built, 'browser'));
  app.use(files.handler());
  app.use(otherApplication(parts.beside, access));
  app.use(pages({ files, parts: readParts(built) }, parts, access));
  app.use(requireSession(access));
  // The pictures of README.md, for the page that shows it.
  const pictures = new StaticFiles(join(readProject().root, 'docs'), '/readme/docs');
  app.use(pictures.handler());
  const express = app.getHttpAdapter().getInstance();
  app.use(allowedMethods(express.router, [files, pictures], parts));
  app.use(RESOURCE_ROUTES, ...bodies(RESOURCE_BODY_LIMIT));
  app.use(...bodies(BODY_LIMIT));
  app.use(requestShape);
  express.get('/favicon.ico', favicon);
  serveDocumentation(app, parts.document);
  if (parts.globalPrefix) {
    app.setGlobalPrefix(parts.globalPrefix.prefix, { exclude: parts.globalPrefix.exclude });
  }
  app.useGlobalPipes(validationPipe());
}

/** Reads a body, unless it is read already. */
function bodies(limit: string): RequestHandler[] {
  return [json({ limit, strict: true, verify: requireUtf8 }), ...yamlBody(limit)];
}
