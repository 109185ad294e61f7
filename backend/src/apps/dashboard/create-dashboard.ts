import { RuntimeRegistry } from '../../drivers/runtime/index.js';
import { JobsService } from '../../modules/jobs/index.js';
import { ProblemsService } from '../../modules/problems/index.js';
import type { Foundation } from '../core.module.js';
import { createApplication, type Application, type ApplicationOptions } from '../http/application.js';
import { DashboardModule } from './dashboard.module.js';
import { DASHBOARD_DOCUMENT } from './document.js';

export const DASHBOARD_PAGES = [
  /^\/clusters$/,
  /^\/cluster\/[a-z0-9.-]+(?:\/(?:access|addons|apply|config|forwards|provision-log))?$/,
  /^\/cluster\/[a-z0-9.-]+\/files\/[a-z0-9-]+\/[a-z0-9.-]+$/,
  /^\/cluster\/[a-z0-9.-]+\/resources\/[a-z0-9.-]+\/[a-z0-9]+\/[a-z0-9.-]+$/,
  /^\/(?:journal|diagnostics|diagnostics\/images|sessions)$/,
  /^\/jobs(?:\/\d+)?$/,
  /^\/documentation(?:\/[a-z-]+)?$/,
];

/** Creates the dashboard without listening. */
export async function createDashboard(
  foundation: Foundation,
  options: ApplicationOptions = {},
): Promise<Application> {
  return await createApplication(
    foundation,
    {
      module: DashboardModule.with(foundation),
      port: foundation.configuration.values.port,
      publicUrl: foundation.configuration.values.publicUrl,
      frontend: 'dashboard',
      home: '/clusters',
      pages: DASHBOARD_PAGES,
      beside: {
        path: '/log-board',
        port: foundation.configuration.values.logBoardPort,
        publicUrl: foundation.configuration.values.logBoardPublicUrl,
        landing: '/logs',
        isHere: foundation.applications.includes('log-board'),
      },
      globalPrefix: { prefix: 'api/v1', exclude: ['api/auth/{*route}'] },
      document: DASHBOARD_DOCUMENT,
      showsDemo: (app) => app.get(RuntimeRegistry).active()?.id === 'demo',
      begin: async (app) => {
        const problems = app.get(ProblemsService);
        foundation.problems.list = () => problems.list();
        await app.get(JobsService).recover();
      },
    },
    options,
  );
}
