import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Get, Post } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { createDashboard } from '../../backend/src/apps/dashboard/create-dashboard.js';
import type { Application } from '../../backend/src/apps/http/application.js';
import { createLogBoard } from '../../backend/src/apps/log-board/create-log-board.js';
import { bootstrap, type BootstrappedFoundation } from '../../backend/src/apps/bootstrap.js';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { readProject } from '../../backend/src/core/config/project.js';
import { Public } from '../../backend/src/core/security/public.js';
import { accessOf, scopesOf, type ControllerClass } from './route-access.js';
import { ROUTE_SCOPES } from './route-scopes.js';
import { sourceFiles, textOf } from './source-tree.js';

/** Routes that the specification names otherwise than their module. */
const OTHER_ROUTES: Readonly<Record<string, string>> = {
  addons: 'clusters/:name/addons',
  diagnosis: 'clusters/:name/resources/:group/:version/:plural/:object/diagnosis',
  documentation: 'docs',
  expose: 'clusters/:name/resources/:group/:version/:plural/:object/expose',
  files: 'clusters/:name/pods/:namespace/:pod/files',
  forwards: 'clusters/:name/forwards',
  kubeconfig: 'clusters',
  auth: 'api/auth',
  'pod-logs': 'clusters/:name/pods/:namespace/:pod',
  resources: 'clusters/:name/resources',
};

/** Of a module of several nouns: the routes of the folders in it. */
const NESTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'log-alerts': { AlertsController: 'api/alerts' },
  'log-search': {
    ExportsController: 'export',
    LinesController: '',
    SavedSearchesController: 'api/saved-searches',
    SearchesController: '',
  },
  'log-sources': {
    LogBoardHealthController: 'api/health',
    LogStoreController: 'api/log-store',
    SourceChangesController: 'api/sources',
    SourcesController: 'sources',
  },
  'resource-changes': {
    ApplyController: 'clusters/:name/resources',
    ChangeController: 'clusters/:name/resources/:group/:version/:plural/:object',
  },
};

/** Routes of a module beside its controller's prefix: addons have a catalog without a cluster. */
const SECOND_ROUTES: Readonly<Record<string, string>> = { CatalogController: 'addons' };

const { root } = readProject();
const modules = readdirSync(join(root, 'backend', 'src', 'modules'));
/** Modules of plain functions without a Nest module. */
const LIBRARIES = ['kind-config'];

function pascal(name: string): string {
  return name
    .split(/[-.]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

function classesOf(file: string): string[] {
  return [...textOf(file).matchAll(/^export (?:abstract )?class (\w+)/gm)].map((match) => match[1] ?? '');
}

describe('the controllers of both applications', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-architecture-'));
  let foundation: BootstrappedFoundation;
  let applications: Application[];
  let controllers: ControllerClass[];

  beforeAll(async () => {
    foundation = await bootstrap(
      readConfiguration({
        APP_RUNTIME: 'demo',
        APP_DATA_DIR: folder,
        APP_LOG_LEVEL: 'error',
        // Beyond this machine, so that the dashboard has its sign-in too.
        APP_HOST: '0.0.0.0',
        APP_PASS: 'a long password',
      }),
      { applications: ['dashboard', 'log-board'] },
    );
    applications = [await createDashboard(foundation), await createLogBoard(foundation)];
    controllers = [
      ...new Set(
        applications.flatMap(({ app }) =>
          [...app.get(ModulesContainer).values()].flatMap((module) =>
            [...module.controllers.values()].map(({ metatype }) => metatype as ControllerClass),
          ),
        ),
      ),
    ];
  });

  afterAll(async () => {
    await Promise.all(applications.map(({ app }) => app.close()));
    foundation.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('say why a route is open to anybody', () => {
    const routes = accessOf(controllers);
    expect(routes.length).toBeGreaterThan(40);
    expect(routes.filter(({ access }) => access === 'unexplained')).toEqual([]);
    expect(
      routes
        .filter(({ access }) => access === 'public')
        .map(({ route }) => route)
        .sort(),
    ).toEqual([
      'AuthController.link',
      'AuthController.login',
      'AuthController.renew',
      'AuthController.token',
      'HealthController.read',
      'HealthController.readStatus',
      'LogBoardHealthController.read',
    ]);
  });

  it('open to access tokens what this list says: of a new route, decide what `read` may', () => {
    const scopes = scopesOf(controllers);
    // By their method: what a new GET shows must be classified, a new change is closed to `read` anyway.
    expect(scopes.filter((route) => !/^(POST|PUT|PATCH|DELETE) .* full$/.test(route))).toEqual(ROUTE_SCOPES);
  });

  it('are found out where they do not', () => {
    class Fixture {
      @Get('closed')
      closed(): void {
        // As everything else.
      }

      @Post('excused')
      @Public('')
      excused(): void {
        // Says that it is open, and not why.
      }

      @Get('open')
      @Public('the client has no session yet')
      open(): void {
        // As the sign-in.
      }

      noRoute(): void {
        // Nothing is served by it.
      }
    }
    expect(accessOf([Fixture]).map(({ route, access }) => `${route} ${access}`)).toEqual([
      'Fixture.closed guarded',
      'Fixture.excused unexplained',
      'Fixture.open public',
    ]);
  });

  it('are all that there are in the sources', () => {
    const written = sourceFiles('backend/src', /\.controller\.ts$/).flatMap(classesOf);
    expect(controllers.map(({ name }) => name).sort()).toEqual(written.sort());
  });

  it('answer under the name of their module’s folder', () => {
    const routes = controllers.map((controller) => [
      controller.name,
      String(Reflect.getMetadata('path', controller)),
    ]);
    const expected = modules
      .filter((module) => sourceFiles(`backend/src/modules/${module}`, /\.controller\.ts$/).length > 0)
      .flatMap((module) =>
        Object.entries(NESTED[module] ?? { [`${pascal(module)}Controller`]: OTHER_ROUTES[module] ?? module }),
      );
    expect(routes).toEqual(expect.arrayContaining(expected));
    const roots = expected.map(([, route]) => route);
    const isBelow = (route = ''): boolean =>
      roots.some((root) => route === root || route.startsWith(`${root}/`));
    expect(Object.fromEntries(routes.filter(([, route]) => !isBelow(route)))).toEqual(SECOND_ROUTES);
  });
});

describe('the sources of the backend', () => {
  it.each(modules)('modules/%s has an entry point', (module) => {
    expect(sourceFiles(`backend/src/modules/${module}`, /index\.ts$/)).toContain(
      `backend/src/modules/${module}/index.ts`,
    );
  });

  it.each(modules.filter((module) => !LIBRARIES.includes(module)))(
    'modules/%s has a Nest module',
    (module) => {
      const folder = `backend/src/modules/${module}`;
      expect(classesOf(`${folder}/${module}.module.ts`)).toEqual([`${pascal(module)}Module`]);
    },
  );

  it('name each class of a role as its file', () => {
    const roles = /\/([\w-]+)\.(module|controller|service|store|handler|guard|filter|gateway)\.ts$/;
    const files = sourceFiles('backend/src', roles);
    const wrong = files.filter((file) => {
      const match = roles.exec(file);
      const [, name = '', role = ''] = match ?? [];
      return !classesOf(file).includes(`${pascal(name)}${pascal(role)}`);
    });
    expect(files.length).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });

  it('have no file whose name says nothing', () => {
    const vague = /\/(utils?|helpers?|common|misc|shared|constants|types|interfaces)(\.[\w.]+)?$/;
    expect(sourceFiles('backend/src', /\.ts$/).filter((file) => vague.test(file))).toEqual([]);
  });
});
