import { join } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ipKeyGenerator } from 'express-rate-limit';
import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { requestShape, requireUtf8, validationPipe, yamlBody } from '../../core/api/index.js';
import { Configuration, readProject } from '../../core/config/index.js';
import { DomainError, ErrorFilter, MAX_URL } from '../../core/errors/index.js';
import { shortened } from '../../core/values/index.js';
import { AccessPolicy, clientOf, HostOriginGuard, pathOf, serveBelow } from '../../core/security/index.js';
import { KnownBrowsers } from '../../modules/auth/index.js';
import { Readiness } from '../../modules/health/index.js';
import type { Foundation } from '../core.module.js';
import { handleMalformedRequests } from './malformed-requests.js';
import { certificateOf } from './certificate.js';
import { writeRateLimit } from './write-rate-limit.js';
import { concurrencyLimit } from './concurrency-limit.js';
import { CONNECTION_LIMITS, limitConnections } from './connection-limits.js';
import { serveDocumentation } from './documentation-viewers.js';
import { favicon } from './favicon.js';
import { GuardedWsAdapter } from './guarded-ws-adapter.js';
import { otherApplication, type OtherApplication } from './other-application.js';
import { createOpenApiDocument, type DocumentTexts } from './openapi.js';
import { requireSession, pages } from './pages.js';
import { requestLog } from './request-log.js';
import { securityHeaders, strictTransport } from './security-headers.js';
import { StaticFiles } from './static-files.js';

const BODY_LIMIT = '256kb';
/**
 * For an object, of which etcd takes 1.5 MB and the API server 3 MB. As YAML in JSON, its lines have an indentation and two
 * characters for their break, and its quotes a backslash.
 */
const RESOURCE_BODY_LIMIT = '6mb';
const RESOURCE_ROUTES = /^\/api\/v1\/clusters\/[^/]+\/resources(?=\/)/;
/** For several objects. */
const APPLY_BODY_LIMIT = '16mb';
const APPLY_ROUTES = /^\/api\/v1\/clusters\/[^/]+\/resources\/apply(?=\/|$)/;
/** For text files of containers, up to a megabyte, whose line breaks and quotes JSON escapes. */
const TEXT_BODY_LIMIT = '3mb';
const TEXT_ROUTES = /^\/api\/v1\/clusters\/[^/]+\/pods\/[^/]+\/[^/]+\/files\/text/;
const WRITES_PER_MINUTE = 120;

/** The parts in which the two applications differ. */
export interface ApplicationParts {
  module: DynamicModule;
  port: number;
  publicUrl: string;
  /** The name of its Angular application in angular.json. */
  frontend: string;
  home: string;
  /** Paths of the page's router. It also serves all other paths, as "not found". */
  pages: readonly RegExp[];
  beside: OtherApplication;
  globalPrefix?: { prefix: string; exclude: string[] };
  document: DocumentTexts;
  /** Whether new clusters are simulated. */
  showsDemo?: (app: NestExpressApplication) => boolean;
  begin?: (app: NestExpressApplication) => Promise<void>;
}

export interface ApplicationOptions {
  writesPerMinute?: number;
}

export interface Application {
  app: NestExpressApplication;
  apiDocument: () => OpenAPIObject;
  /** Listens and recovers unfinished work of an earlier run. @returns the bound port. */
  listen: () => Promise<number>;
}

/** Creates an application without listening. */
export async function createApplication(
  { configuration, logger }: Foundation,
  parts: ApplicationParts,
  options: ApplicationOptions = {},
): Promise<Application> {
  const tls = certificateOf(configuration, logger);
  // Node's default timeout of the TLS handshake is two minutes.
  const httpsOptions = tls && { ...tls.read(), handshakeTimeout: CONNECTION_LIMITS.headersMs };
  const app = await NestFactory.create<NestExpressApplication>(parts.module, {
    httpsOptions,
    logger,
    bodyParser: false,
    forceCloseConnections: true,
    abortOnError: false,
  });
  const server = app.getHttpServer();
  serveBelow(server, pathOf(parts.publicUrl));
  limitConnections(server);
  tls?.keepUpToDate(server);
  handleMalformedRequests(server, logger);
  app.disable('x-powered-by');
  app.set('trust proxy', false);
  // Responses of the API are not stored, so a hash of each one would serve no client.
  app.set('etag', false);
  app.use(requestLog(logger));
  useInOrder(app, parts, options);
  app.useWebSocketAdapter(new GuardedWsAdapter(app, app.get(HostOriginGuard), app.get(AccessPolicy), logger));
  return {
    app,
    apiDocument: () => createOpenApiDocument(app, parts.document),
    listen: async () => {
      await app.init();
      // `init` has created the routes, so this comes after all of them.
      app.use(notFoundHandler(app.get(ErrorFilter)));
      await app.listen(parts.port, configuration.values.host);
      const { port } = app.getHttpServer().address() as { port: number };
      app.get(HostOriginGuard).open(port);
      await parts.begin?.(app);
      app.get(Readiness).open();
      return port;
    },
  };
}

/** The order matters: access checks, security headers and limits come before any handler reads the request. */
function useInOrder(app: NestExpressApplication, parts: ApplicationParts, options: ApplicationOptions): void {
  const { values } = app.get(Configuration);
  const guard = app.get(HostOriginGuard);
  const access = app.get(AccessPolicy);
  app.use(securityHeaders());
  app.use((request: Request, _response: Response, next: NextFunction) => {
    guard.checkRequest(request);
    next();
  });
  app.use(strictTransport([values.publicUrl, values.logBoardPublicUrl]));
  const files = new StaticFiles(join(readProject().root, 'dist', 'frontend', parts.frontend, 'browser'));
  // They need no session. The lookup of the client takes 5 to 20 ms for each of a browser's first six connections.
  app.use(files.handler());
  app.use((request: Request, _response: Response, next: NextFunction) => {
    access.prepare(request).then(() => next(), next);
  });
  const browsers = app.get(KnownBrowsers);
  // Other users of this machine, or clients behind the same address, must not exhaust the limit of the owner.
  const clientKey = (request: Request): string =>
    access.isOpenTo(request)
      ? 'the local user'
      : (browsers.idOf(request) ?? ipKeyGenerator(clientOf(request).address));
  app.use(writeRateLimit(options.writesPerMinute ?? WRITES_PER_MINUTE, clientKey));
  app.use(concurrencyLimit());
  app.use(otherApplication(parts.beside, access));
  const { home, pages: known } = parts;
  const isDemo = (): boolean => parts.showsDemo?.(app) ?? false;
  app.use(pages(files, { home, pages: known, isDemo }, access));
  app.use(requireSession(access));
  // The images of the documentation pages.
  const screenshots = join(readProject().root, 'docs', 'screenshots');
  const images = new StaticFiles(screenshots, '/readme/docs/screenshots');
  app.use(images.handler());
  app.use(APPLY_ROUTES, ...bodies(APPLY_BODY_LIMIT));
  app.use(RESOURCE_ROUTES, ...bodies(RESOURCE_BODY_LIMIT));
  app.use(TEXT_ROUTES, ...bodies(TEXT_BODY_LIMIT));
  app.use(...bodies(BODY_LIMIT));
  app.use(requestShape);
  app.getHttpAdapter().getInstance().get('/favicon.ico', favicon);
  serveDocumentation(app, parts.document, pathOf(parts.publicUrl));
  if (parts.globalPrefix) {
    app.setGlobalPrefix(parts.globalPrefix.prefix, { exclude: parts.globalPrefix.exclude });
  }
  app.useGlobalPipes(validationPipe());
}

/** Parses a body, unless an earlier handler has. */
function bodies(limit: string): RequestHandler[] {
  return [json({ limit, strict: true, verify: requireUtf8 }), ...yamlBody(limit)];
}

/** The last handler, for URLs that no other one serves. */
function notFoundHandler(errors: ErrorFilter): RequestHandler {
  return (request: Request, response: Response): void => {
    const address = `${request.method} ${shortened(request.path, MAX_URL)}`;
    errors.render(
      new DomainError('route_not_found', `This URL does not exist. Cannot ${address}.`),
      response,
    );
  };
}
