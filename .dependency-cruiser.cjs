const { basename } = require('node:path');

/** Modules whose order is fixed. Each may import only modules to the left of it. */
const LOG_MODULES = ['log-lines', 'log-sources', 'log-search', 'log-alerts', 'log-live'];
const RESOURCE_MODULES = ['resources', 'diagnosis', 'resource-changes'];

/**
 * The folders of the larger modules and of the frontend, from the lowest to the highest. Each may import only folders to
 * the left of it.
 */
const FOLDER_ORDER = {
  'backend/src/drivers/runtime': ['host', 'engine', 'discovery'],
  'backend/src/modules/addons': ['common', 'values', 'catalog', 'charts', 'release', 'operation', 'forward'],
  'backend/src/modules/clusters': [
    'inventory',
    'preflight',
    'adoption',
    'deletion',
    'creation',
    'config',
    'clone',
    'recreation',
    'lifecycle',
    'node-logs',
  ],
  'backend/src/modules/resources': [
    'common',
    'schemas',
    'manifests',
    'usage',
    'watch',
    'table',
    'object',
    'map',
    'placement',
    'overview',
    'names',
  ],
  'backend/src/modules/resource-changes': [
    'change',
    'labels',
    'rollout',
    'image',
    'fix',
    'batch',
    'pods',
    'effects',
    'drain',
    'apply',
  ],
  'frontend/src/shared': [
    'format',
    'grid',
    'api',
    'testing',
    'browser',
    'loading',
    'ui',
    'session',
    'live',
    'lines',
    'search',
    'histogram',
    'groups',
    'notifications',
    'shortcuts',
    'palette',
    'shell',
  ],
  'frontend/src/dashboard': [
    'cluster-context',
    'yaml',
    'resource-model',
    'addon-model',
    'editor',
    'job-handle',
    'create',
    'clone',
    'external',
    'cluster-actions',
    'shells',
    'logs',
    'forwards',
    'addons',
    'jobs',
    'job-screen',
    'images',
    'resources',
    'apply',
    'files',
    'clusters',
    'cluster',
    'config',
    'journal',
    'diagnostics',
    'documentation',
    'palette',
    'shell',
  ],
  'frontend/src/log-board': [
    'testing',
    'search-model',
    'api',
    'saved-searches',
    'alerts',
    'storage',
    'logs',
    'palette',
    'shell',
  ],
  'frontend/src/log-board/logs': ['sources', 'query', 'details', 'options', 'lines', 'tree'],
};

/** Rules with one name: each of `names` may import only those before it. `pathOf` turns names into a path. */
function inOrder(rule, names, pathOf) {
  return names.slice(0, -1).map((name, level) => ({
    severity: 'error',
    ...rule,
    from: { path: pathOf([name]) },
    to: { path: pathOf(names.slice(level + 1)) },
  }));
}

const modulePath = (names) => `^backend/src/modules/(${names.join('|')})/`;

/** The layers and entry points of ARCHITECTURE.md. Each rule has a fixture in test/fixtures/layers that breaks it. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment:
        'Files must not depend on each other in a cycle, not even by types. Move what both need to a third file.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'core-imports-only-core',
      severity: 'error',
      comment: 'Dependencies point down: apps, modules, drivers, core.',
      from: { path: '^backend/src/core/' },
      to: { path: '^backend/src/(drivers|modules|apps)/' },
    },
    {
      name: 'drivers-import-no-modules',
      severity: 'error',
      comment: 'Dependencies point down: apps, modules, drivers, core.',
      from: { path: '^backend/src/drivers/' },
      to: { path: '^backend/src/(modules|apps)/' },
    },
    {
      name: 'modules-import-no-apps',
      severity: 'error',
      comment: 'Dependencies point down: apps, modules, drivers, core.',
      from: { path: '^backend/src/modules/' },
      to: { path: '^backend/src/apps/' },
    },
    {
      name: 'module-entry-points',
      severity: 'error',
      comment: 'Import other modules through their index.ts.',
      from: { path: '^backend/src/modules/([^/]+)/' },
      to: {
        path: '^backend/src/modules/([^/]+)/',
        pathNot: ['^backend/src/modules/$1/', '^backend/src/modules/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'no-own-entry-point',
      severity: 'error',
      comment: 'An index.ts is for others. Inside, import the file that declares a name, which loads less.',
      from: { path: '^backend/src/((?:core|drivers|modules)/[^/]+)/' },
      to: { path: '^backend/src/$1/index\\.ts$' },
    },
    ...['backend/src/modules', 'frontend/src'].map((path) => ({
      name: 'no-upward-imports',
      severity: 'error',
      comment: `A file in a folder of ${path} imports no files above that folder. Move them to a folder.`,
      from: { path: `^${path}/([^/]+)/[^/]+/` },
      to: { path: `^${path}/$1/[^/]+$` },
    })),
    ...Object.entries(FOLDER_ORDER).flatMap(([path, folders]) =>
      inOrder(
        {
          name: `${basename(path)}-folder-order`,
          comment: `Imports among the folders of ${path} point down: ${folders.toReversed().join(', ')}.`,
        },
        folders,
        (names) => `^${path}/(${names.join('|')})/`,
      ),
    ),
    {
      name: 'kind-config-is-a-leaf',
      severity: 'error',
      comment: 'kind-config parses and renders configs. It imports no other module.',
      from: { path: '^backend/src/modules/kind-config/' },
      to: { path: '^backend/src/modules/', pathNot: '^backend/src/modules/kind-config/' },
    },
    {
      name: 'clusters-import-no-kubeconfig',
      severity: 'error',
      comment: 'kubeconfig depends on clusters. It takes part in the jobs of clusters through ClusterHooks.',
      from: { path: '^backend/src/modules/clusters/' },
      to: { path: '^backend/src/modules/kubeconfig/' },
    },
    ...inOrder(
      {
        name: 'log-module-order',
        comment: `Imports among the log modules point down: ${LOG_MODULES.toReversed().join(', ')}.`,
      },
      [...LOG_MODULES, 'pod-logs'],
      modulePath,
    ),
    ...inOrder(
      {
        name: 'resource-module-order',
        comment: `Imports among the modules of resources point down: ${RESOURCE_MODULES.toReversed().join(', ')}.`,
      },
      RESOURCE_MODULES,
      modulePath,
    ),
    {
      name: 'pod-logs-imports-only-log-lines',
      severity: 'error',
      comment: 'Pod logs in the dashboard share only the line model with the log board.',
      from: { path: '^backend/src/modules/pod-logs/' },
      to: { path: '^backend/src/modules/log-(sources|search|alerts|live)/' },
    },
    {
      name: 'app-entry-points',
      severity: 'error',
      comment: 'Apps import modules through their index.ts.',
      from: { path: '^backend/src/apps/' },
      to: { path: '^backend/src/modules/', pathNot: '^backend/src/modules/[^/]+/index\\.ts$' },
    },
    {
      name: 'driver-entry-points',
      severity: 'error',
      comment: 'Import drivers through their index.ts. What worker threads share has an index.ts of its own.',
      from: { path: '^backend/src/(modules|apps)/' },
      to: { path: '^backend/src/drivers/', pathNot: '^backend/src/drivers/[^/]+/(values/)?index\\.ts$' },
    },
    {
      name: 'drivers-import-only-ports',
      severity: 'error',
      comment: 'A driver imports the ports of other drivers through their index.ts, and no implementation.',
      from: { path: '^backend/src/drivers/([^/]+)/' },
      to: {
        path: '^backend/src/drivers/([^/]+)/',
        pathNot: ['^backend/src/drivers/$1/', '^backend/src/drivers/[^/]+/(values/)?index\\.ts$'],
      },
    },
    {
      name: 'process-access',
      severity: 'error',
      comment:
        'Only drivers/process starts programs, and core/work starts Slipway for single functions. Specs may start a program to observe how it exits.',
      from: {
        path: '^backend/src/',
        pathNot: ['^backend/src/(drivers/process|core/work)/', '\\.spec\\.ts$'],
      },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'kubernetes-access',
      severity: 'error',
      comment: 'drivers/kubernetes calls API servers by its own client: docs/decisions/0033.',
      from: { path: '^backend/src/' },
      to: { path: '@kubernetes/client-node' },
    },
    {
      name: 'engine-access',
      severity: 'error',
      comment: 'Only drivers/runtime calls container engines.',
      from: { path: '^backend/src/', pathNot: '^backend/src/drivers/runtime/' },
      to: { path: 'node_modules/(dockerode|docker-modem)' },
    },
    {
      name: 'network-access',
      severity: 'error',
      comment:
        'Only drivers/registry calls servers on the internet. drivers/kubernetes calls clusters, drivers/runtime engines over TLS, drivers/log-store calls the log database, apps/http serves, and apps/cli/client calls Slipway.',
      from: {
        path: '^backend/src/',
        pathNot:
          '^backend/src/(drivers/(registry|kubernetes|log-store)/|drivers/runtime/engine/engine-connection|apps/cli/client/|apps/http/certificate.ts$)',
      },
      to: { path: '^(node:)?(https|http2|tls|undici)$' },
    },
    {
      name: 'database-access',
      severity: 'error',
      comment: 'Only core/storage opens databases.',
      from: { path: '^backend/src/', pathNot: '^backend/src/core/storage/' },
      to: { path: '^(node:)?sqlite$' },
    },
    {
      name: 'backend-imports-no-frontend',
      severity: 'error',
      comment: 'The backend serves the built files of the frontend and uses nothing else of it.',
      from: { path: '^backend/' },
      to: { path: '^frontend/' },
    },
    {
      name: 'frontend-imports-only-types',
      severity: 'error',
      comment:
        'The frontend shares types with the backend, and no code but the reader of log lines and the query language.',
      from: { path: '^frontend/' },
      to: {
        path: '^backend/',
        pathNot: '^backend/src/core/(lines|search)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'frontend-applications-are-separate',
      severity: 'error',
      comment: 'Dashboard and log board import shared and not each other. shared imports neither.',
      from: { path: '^frontend/src/([^/]+)/' },
      to: { path: '^frontend/src/', pathNot: '^frontend/src/($1|shared)/' },
    },
    {
      name: 'product-imports-no-tests',
      severity: 'error',
      comment: 'Product code imports no specs and nothing in test/.',
      from: { path: '^(backend|frontend)/src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '(^test/|\\.spec\\.ts$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The fixtures break the rules on purpose. test/architecture/layers.spec.ts checks each from its own root.
    exclude: { path: '^test/fixtures/layers/' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};
