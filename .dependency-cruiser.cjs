/** The modules of the log board. Each may import only those before it. */
const LOG_MODULES = ['log-lines', 'log-sources', 'log-search', 'log-alerts', 'log-live'];

/** The layers and doors of ARCHITECTURE.md. Each rule has a fixture in test/fixtures/layers that breaks it. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files that need each other are one.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'core-is-a-leaf',
      severity: 'error',
      comment: 'core is what everyone may use; it uses nobody.',
      from: { path: '^backend/src/core/' },
      to: { path: '^backend/src/(drivers|modules|apps)/' },
    },
    {
      name: 'drivers-know-no-modules',
      severity: 'error',
      comment: 'Dependencies point down: apps, modules, drivers, core.',
      from: { path: '^backend/src/drivers/' },
      to: { path: '^backend/src/(modules|apps)/' },
    },
    {
      name: 'modules-know-no-apps',
      severity: 'error',
      comment: 'Dependencies point down: apps, modules, drivers, core.',
      from: { path: '^backend/src/modules/' },
      to: { path: '^backend/src/apps/' },
    },
    {
      name: 'modules-meet-at-the-door',
      severity: 'error',
      comment: 'Another module is entered through its index.ts.',
      from: { path: '^backend/src/modules/([^/]+)/' },
      to: {
        path: '^backend/src/modules/([^/]+)/',
        pathNot: ['^backend/src/modules/$1/', '^backend/src/modules/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'log-modules-have-no-cycles',
      severity: 'error',
      comment: 'The modules about logs and the files in them form an order, also by their types.',
      from: { path: '^backend/src/modules/(log-(lines|sources|search|alerts|live)|pod-logs)/' },
      to: { circular: true },
    },
    ...LOG_MODULES.slice(0, -1).map((module, level) => ({
      name: `${module}-knows-no-higher-module`,
      severity: 'error',
      comment: `Dependencies among modules about logs point down: ${LOG_MODULES.toReversed().join(', ')}.`,
      from: { path: `^backend/src/modules/${module}/` },
      to: { path: `^backend/src/modules/(${[...LOG_MODULES.slice(level + 1), 'pod-logs'].join('|')})/` },
    })),
    {
      name: 'pod-logs-knows-only-log-lines',
      severity: 'error',
      comment: 'The logs of Pods in the dashboard need nothing of the log board but its model of a line.',
      from: { path: '^backend/src/modules/pod-logs/' },
      to: { path: '^backend/src/modules/log-(sources|search|alerts|live)/' },
    },
    {
      name: 'apps-enter-modules-by-the-door',
      severity: 'error',
      comment: 'A module is entered through its index.ts.',
      from: { path: '^backend/src/apps/' },
      to: { path: '^backend/src/modules/', pathNot: '^backend/src/modules/[^/]+/index\\.ts$' },
    },
    {
      name: 'drivers-are-entered-by-the-door',
      severity: 'error',
      comment: 'A driver is entered through its index.ts; what threads share has one of its own.',
      from: { path: '^backend/src/(modules|apps)/' },
      to: { path: '^backend/src/drivers/', pathNot: '^backend/src/drivers/[^/]+/(values/)?index\\.ts$' },
    },
    {
      name: 'drivers-are-islands',
      severity: 'error',
      comment: 'A driver knows the ports of others, through their index.ts, and no implementation.',
      from: { path: '^backend/src/drivers/([^/]+)/' },
      to: {
        path: '^backend/src/drivers/([^/]+)/',
        pathNot: ['^backend/src/drivers/$1/', '^backend/src/drivers/[^/]+/(values/)?index\\.ts$'],
      },
    },
    {
      name: 'one-door-to-processes',
      severity: 'error',
      comment: 'Programs are started by drivers/process alone; a spec may start one to see it die.',
      from: { path: '^backend/src/', pathNot: ['^backend/src/drivers/process/', '\\.spec\\.ts$'] },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'one-door-to-kubernetes',
      severity: 'error',
      comment: 'Only drivers/kubernetes speaks to API servers.',
      from: { path: '^backend/src/', pathNot: '^backend/src/drivers/kubernetes/' },
      to: { path: '@kubernetes/client-node' },
    },
    {
      name: 'one-door-to-engines',
      severity: 'error',
      comment: 'Only drivers/runtime speaks to the engines.',
      from: { path: '^backend/src/', pathNot: '^backend/src/drivers/runtime/' },
      to: { path: 'node_modules/(dockerode|docker-modem)' },
    },
    {
      name: 'one-door-to-the-web',
      severity: 'error',
      comment:
        'Only drivers/registry asks servers outside; drivers/kubernetes asks the clusters’ own, drivers/log-store the log database, and apps/http serves.',
      from: {
        path: '^backend/src/',
        pathNot: '^backend/src/(drivers/(registry|kubernetes|log-store)/|apps/http/certificate.ts$)',
      },
      to: { path: '^(node:)?(https|http2|tls|undici)$' },
    },
    {
      name: 'one-door-to-sqlite',
      severity: 'error',
      comment: 'Only core/storage opens databases.',
      from: { path: '^backend/src/', pathNot: '^backend/src/core/storage/' },
      to: { path: '^(node:)?sqlite$' },
    },
    {
      name: 'backend-knows-no-frontend',
      severity: 'error',
      comment: 'The backend serves built files and nothing else of the frontend.',
      from: { path: '^backend/' },
      to: { path: '^frontend/' },
    },
    {
      name: 'frontend-takes-types-only',
      severity: 'error',
      comment: 'The frontend shares types with the backend and no code.',
      from: { path: '^frontend/' },
      to: { path: '^backend/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      comment: 'Production code imports no spec and nothing of test/.',
      from: { path: '^(backend|frontend)/src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '(^test/|\\.spec\\.ts$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // They break the rules on purpose; test/house/layers.spec.ts looks at each from its own root.
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
