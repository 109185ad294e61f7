import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { json, type NextFunction, type Request, type Response } from 'express';
import { requestShape, requireUtf8, validationPipe, yamlBody } from '../../core/api/index.js';
import { readProject } from '../../core/config/index.js';
import { ErrorFilter } from '../../core/errors/index.js';
import { RequestGate } from '../../core/security/index.js';
import { JobsService } from '../../modules/jobs/index.js';
import type { Foundation } from '../core.module.js';
import { allowedMethods } from './allowed-methods.js';
import { answerBrokenRequests } from './broken-requests.js';
import { changeLimit } from './change-limit.js';
import { DashboardModule } from './dashboard.module.js';
import { serveDocumentation } from './documentation-viewers.js';
import { favicon } from './favicon.js';
import { GatedWsAdapter } from './gated-ws-adapter.js';
import { nothingHere } from './nothing-here.js';
import { pages } from './pages.js';
import { requestLog } from './request-log.js';
import { securityHeaders } from './security-headers.js';
import { StaticFiles } from './static-files.js';

const BODY_LIMIT = '256kb';
const CHANGES_PER_MINUTE = 120;

export interface DashboardOptions {
  /** Changing requests that one address may make a minute. */
  changesPerMinute?: number;
}

export interface Dashboard {
  app: NestExpressApplication;
  /** Begins to listen, and takes up what an earlier run left. @returns the port that was bound. */
  listen: () => Promise<number>;
}

/** Builds the dashboard: everything but listening. */
export async function createDashboard(
  foundation: Foundation,
  options: DashboardOptions = {},
): Promise<Dashboard> {
  const { configuration, logger } = foundation;
  const app = await NestFactory.create<NestExpressApplication>(DashboardModule.with(foundation), {
    logger,
    bodyParser: false,
    forceCloseConnections: true,
    abortOnError: false,
  });
  answerBrokenRequests(app.getHttpServer(), logger);
  configureDashboard(app, foundation, options);
  return {
    app,
    listen: async () => {
      await app.init();
      // Behind every route, and so after they are made.
      app.use(nothingHere(app.get(ErrorFilter)));
      await app.listen(configuration.values.port, configuration.values.host);
      const { port } = app.getHttpServer().address() as { port: number };
      app.get(RequestGate).open(port);
      await app.get(JobsService).recover();
      logger.info(`Slipway is at http://localhost:${port}`);
      return port;
    },
  };
}

/** The order matters: a request is named, let in, given its headers and counted before anything reads it. */
export function configureDashboard(
  app: NestExpressApplication,
  { logger }: Foundation,
  options: DashboardOptions,
): void {
  const gate = app.get(RequestGate);
  app.disable('x-powered-by');
  app.set('trust proxy', false);
  app.use(requestLog(logger));
  app.use(securityHeaders());
  app.use((request: Request, _response: Response, next: NextFunction) => {
    gate.checkRequest(request);
    next();
  });
  app.use(changeLimit(options.changesPerMinute ?? CHANGES_PER_MINUTE));
  const files = new StaticFiles(join(readProject().root, 'dist', 'frontend', 'dashboard', 'browser'));
  app.use(files.handler());
  // The pictures of README.md, for the page that shows it.
  const pictures = new StaticFiles(join(readProject().root, 'docs'), '/readme/docs');
  app.use(pictures.handler());
  app.use(pages(files));
  const express = app.getHttpAdapter().getInstance();
  app.use(allowedMethods(express.router, [files, pictures]));
  app.use(json({ limit: BODY_LIMIT, strict: true, verify: requireUtf8 }), ...yamlBody(BODY_LIMIT));
  app.use(requestShape);
  express.get('/favicon.ico', favicon);
  serveDocumentation(app);
  app.setGlobalPrefix('api/v1');
  app.useGlobalPipes(validationPipe());
  app.useWebSocketAdapter(new GatedWsAdapter(app, gate));
}
