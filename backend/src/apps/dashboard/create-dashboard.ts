import { RuntimeRegistry } from '../../drivers/runtime/index.js';
import { JobsService } from '../../modules/jobs/index.js';
import type { Foundation } from '../core.module.js';
import { createApplication, type Application, type ApplicationOptions } from '../http/application.js';
import type { PageRoute } from '../http/pages.js';
import { DashboardModule } from './dashboard.module.js';
import { DASHBOARD_DOCUMENT } from './document.js';

/** The number of rows that the page of a table requests first. */
const FIRST_ROWS = 1000;

/** Paths of the page's router. It also serves all other paths, as "not found". */
const PAGES: readonly PageRoute[] = [
  { path: /^\/clusters$/, parts: ['dashboard/clusters/clusters-page'] },
  { path: /^\/cluster\/[a-z0-9.-]+$/, parts: ['dashboard/cluster/cluster-page'] },
  { path: /^\/cluster\/[a-z0-9.-]+\/config$/, parts: ['dashboard/config/config-page'] },
  { path: /^\/cluster\/[a-z0-9.-]+\/addons$/, parts: ['dashboard/addons/addons-page'] },
  { path: /^\/cluster\/[a-z0-9.-]+\/forwards$/, parts: ['dashboard/forwards/forwards-page'] },
  {
    path: /^\/cluster\/[a-z0-9.-]+\/files\/[a-z0-9-]+\/[a-z0-9.-]+$/,
    parts: ['dashboard/files/files-page'],
  },
  { path: /^\/cluster\/[a-z0-9.-]+\/apply$/, parts: ['dashboard/apply/apply-page'] },
  {
    path: /^\/cluster\/([a-z0-9.-]+)\/resources\/([a-z0-9.-]+)\/([a-z0-9]+)\/([a-z0-9.-]+)$/,
    parts: ['dashboard/resources/resource-page'],
    firstRequest: ([name, ...type], { runtime }) =>
      // Without an engine, the page first finds out which one has the cluster.
      typeof runtime === 'string' && /^[a-z]+$/.test(runtime)
        ? `/api/v1/clusters/${name}/resources/${type.join('/')}?runtime=${runtime}&limit=${FIRST_ROWS}`
        : undefined,
  },
  { path: /^\/journal$/, parts: ['dashboard/journal/journal-page'] },
  { path: /^\/jobs(?:\/\d+)?$/, parts: ['dashboard/jobs/jobs-page'] },
  { path: /^\/diagnostics$/, parts: ['dashboard/diagnostics/diagnostics-page'] },
  { path: /^\/diagnostics\/images$/, parts: ['dashboard/images/images-page'] },
  { path: /^\/documentation(?:\/[a-z-]+)?$/, parts: ['dashboard/documentation/documentation-page'] },
  { path: /^\/sessions$/, parts: ['shared/session/sessions/sessions-page'] },
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
      frontend: 'dashboard',
      home: '/clusters',
      pages: PAGES,
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
      begin: async (app) => await app.get(JobsService).recover(),
    },
    options,
  );
}
