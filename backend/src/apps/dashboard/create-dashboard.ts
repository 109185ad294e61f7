import { JobsService } from '../../modules/jobs/index.js';
import type { Foundation } from '../core.module.js';
import { createApplication, type Application, type ApplicationOptions } from '../http/application.js';
import { DashboardModule } from './dashboard.module.js';
import { dashboardDocument } from './document.js';

/** Addresses that the page's own router knows; others are served by it too, as "not found". */
const PAGES = [
  /^\/clusters$/,
  /^\/cluster\/[a-z0-9.-]+(\/config)?$/,
  /^\/journal$/,
  /^\/jobs(\/\d+)?$/,
  /^\/diagnostics(\/images)?$/,
  /^\/documentation$/,
  /^\/sessions$/,
];

/** Builds the dashboard: everything but listening. */
export async function createDashboard(
  foundation: Foundation,
  options: ApplicationOptions = {},
): Promise<Application> {
  return await createApplication(
    foundation,
    {
      module: DashboardModule.with(foundation),
      port: foundation.configuration.values.port,
      frontend: 'dashboard',
      home: '/clusters',
      pages: PAGES,
      beside: { path: '/log-board', port: foundation.configuration.values.logBoardPort },
      globalPrefix: { prefix: 'api/v1', exclude: ['api/auth/{*route}'] },
      document: dashboardDocument(foundation.configuration),
      begin: async (app) => await app.get(JobsService).recover(),
    },
    options,
  );
}
