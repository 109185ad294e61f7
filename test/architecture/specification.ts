import { API, BROWSER, FAULT, REAL, row, UNIT, type SpecificationRow } from './specification-row.js';

/** A module class, the driver that it wraps, and the token by which it gets it, if that selects among drivers. */
interface WrappingModule {
  name: string;
  folder: string;
  wraps: readonly { driver: string; token?: string }[];
}

/** The owner's card: packages of the workspaces, files and folders at the top level, and modules. */
export const CARD = {
  packages: [
    '@nestjs/core',
    '@nestjs/common',
    '@nestjs/platform-express',
    '@nestjs/swagger',
    '@nestjs/jwt',
    '@nestjs/passport',
    'passport-jwt',
    '@nestjs/websockets',
    '@nestjs/platform-ws',
    'class-validator',
    '@angular/core',
    '@angular/router',
    'jest',
  ],
  topLevel: ['package.json', 'nest-cli.json', 'angular.json', 'backend', 'frontend', 'test', '.env.example'],
  modules: [
    {
      name: 'ClustersModule',
      folder: 'clusters',
      wraps: [{ driver: 'RuntimeRegistry' }, { driver: 'ClusterProvisioner', token: 'ProvisionerSelector' }],
    },
    { name: 'JobsModule', folder: 'jobs', wraps: [{ driver: 'ProcessRunner' }] },
    { name: 'JournalModule', folder: 'journal', wraps: [{ driver: 'RuntimeRegistry' }] },
    {
      name: 'AddonsModule',
      folder: 'addons',
      wraps: [{ driver: 'PackageManager', token: 'PackageManagerSelector' }],
    },
    { name: 'StatsModule', folder: 'stats', wraps: [{ driver: 'RuntimeRegistry' }] },
  ] satisfies WrappingModule[],
};

const LIFE = {
  created: API('clusters', 'are created by a job with 202 and a Location'),
  start: API('lifecycle', 'start starts the nodes in order, and waits until they are ready'),
  stop: API('lifecycle', 'stop ends all nodes'),
  cancel: API('jobs', 'leaves nothing when cancelled, even twice'),
  clear: API('jobs', 'deletes ended jobs and keeps their journal entries'),
  reapply: API('reapply', 'recreates the cluster from the saved config in a job of kind start'),
  saved: API(
    'config',
    'saves the bytes of YAML, marks the meta, adds a journal entry, and keeps the running cluster',
  ),
  addon: API('addons', 'installs, upgrades, rolls back and uninstalls a release, with journal entries'),
  restart: API('resource-changes', 'restarts a pod; requires force for one that is not recreated'),
  overview: API('resources', 'returns a block for every kind, and for all built-in ones'),
  stats: API(
    'reads',
    'GET /stats returns counts, the workers of the meta records, and the usage of all nodes',
  ),
  pages: API('reads', 'has pages without gaps and overlaps'),
  entries: API('reads', 'has one completed entry per job, newest first'),
  readme: API('reads', 'GET /docs/readme returns Markdown'),
  versions: API('reads', 'GET /versions returns local versions first, with their origin'),
  health: API('reads', 'GET /health returns ok with a check per part'),
  publicHealth: API('health', 'return status and version to clients without a session'),
  favicon: API('gate', 'are sent with the SVG icon'),
  kubeconfig: API('clusters', 'have a kubeconfig to download'),
  docker: API('kubeconfig', 'returns variant host by default, with a tls-server-name'),
  provisionLog: API('clusters', 'have a provision log of the last creation'),
  jobView: API('jobs', 'returns a job with its progress in fields that start with progress_'),
  jobList: API('jobs', 'lists jobs newest first, without their logs'),
  invalid: API('clusters', 'create no job for an invalid %s'),
  alert: BROWSER('create', 'lists all problems in an alert before it sends a request'),
  screen: BROWSER('lifecycle', 'stops and starts a cluster from its page and shows the job screen'),
  cards: BROWSER('cluster', 'shows at most three node cards in a row'),
  kiali: BROWSER(
    'addons',
    'installs Kiali without a sign-in: no password field, and values cannot enable one',
  ),
  addonPage: BROWSER(
    'addons',
    'installs, upgrades, rolls back and uninstalls an addon, and records each in the journal',
  ),
  configPage: BROWSER(
    'config',
    'compares with the running config, saves, explains when it takes effect and starts with it',
  ),
  clusterPage: BROWSER('cluster', 'shows state, node usage, provision log and jobs of a cluster'),
  journalPage: BROWSER('journal', 'explains an empty journal and shows its first entry'),
  menu: BROWSER(
    'api-documentation',
    'dashboard: opens both API documentations and health from the menu, without requests to other hosts',
  ),
  logBoardMenu: BROWSER(
    'api-documentation',
    'log board: opens both API documentations and health from the menu, without requests to other hosts',
  ),
} as const;

const BOARD = {
  login: API('sign-in', 'returns a Bearer token and an HttpOnly cookie'),
  wrong: API(
    'sign-in',
    'returns the same response for a wrong name, a wrong password and both, and hashes once for each',
  ),
  logout: API('sign-in', 'invalidates the token, the cookie and tickets at sign-out'),
  me: API('sign-in', 'appear in GET /api/auth/me'),
  expires: API('sign-in', 'expires at a fixed time, which new tokens do not extend'),
  redirect: API('sign-in', 'redirects pages to /login with a return URL without a session'),
  page: BROWSER('sign-in', 'marks its fields for password managers, and then opens the requested page'),
  closed: API('closed-by-default', 'get 401 from every route of %s except sign-in'),
  accepted: API(
    'access-tokens',
    'with the correct key and claims are accepted, so each forgery below fails for its own reason',
  ),
  forged: API('access-tokens', 'that are forged are rejected by both applications and their sockets'),
  asBasic: API('access-tokens', 'are rejected as %s'),
  socket: API('log-board-socket', 'opens with a token, sends hello, and responds to ping'),
  badSocket: API('access-tokens', 'do not open a socket with %s'),
  variables: FAULT('sign-in', 'prevent the start with %s, naming each variable and no value'),
  password: FAULT('sign-in', 'print a generated password once and store it nowhere'),
  keys: FAULT('sign-in', 'survive SIGKILL and a restart, as do sign-outs, and end when the password changes'),
  defaults: UNIT('core/config/configuration', 'uses the defaults for unset and empty variables'),
} as const;

/** Every row of the specification by its section, in its order, with the tests that show it. */
export const SPECIFICATION: Readonly<Record<string, readonly SpecificationRow[]>> = {
  'the dashboard': [
    row(
      'container_cli names the active one of two runtimes',
      LIFE.stats,
      FAULT('engine-away', 'makes clusters unknown, rejects operations with the reason, and recovers'),
    ),
    row(
      'a cluster list page at /clusters',
      BROWSER('clusters', 'shows state, usage, version and engine of a cluster in its row'),
    ),
    row('a cluster details page at /cluster/<cluster_name>', LIFE.clusterPage),
    row('a journal page', LIFE.journalPage, BROWSER('journal', 'keeps pages in the URL and supports Back')),
    row(
      'a documentation page at /documentation, which renders the project readme fetched through the API',
      BROWSER('documentation', 'renders the project README, opens pages and follows links between them'),
      LIFE.readme,
    ),
    row('a favicon at GET /favicon.ico', LIFE.favicon),
    row(
      'the header has a link to the interactive API documentation in a separate window',
      LIFE.menu,
      LIFE.logBoardMenu,
    ),
    row(
      'the header has a link to the alternative API documentation in a separate window',
      LIFE.menu,
      LIFE.logBoardMenu,
    ),
    row('the header has a link to the health endpoint in a separate window', LIFE.menu, LIFE.logBoardMenu),
    row(
      'only the pill of the current page is active',
      BROWSER(
        'shell',
        'gives each page its title, navigation item and demo banner, and lists its scripts in its HTML',
      ),
    ),
    row('breadcrumbs begin with the clusters section', LIFE.clusterPage),
    row(
      'the theme is switched in the browser and kept in its local storage',
      BROWSER('shell', 'keeps the chosen theme, and applies it before the first paint'),
    ),
    row('the default host port of the web service is 8080', BOARD.defaults),
    row(
      'create, start and stop run as background jobs that a client polls',
      LIFE.created,
      LIFE.start,
      LIFE.stop,
    ),
    row(
      'a job has a progress log and a progress indicator',
      LIFE.jobView,
      BROWSER('jobs', 'follows a running job and cancels it after a confirmation'),
    ),
    row(
      'a job can be cancelled',
      LIFE.cancel,
      BROWSER('create', 'runs a job in the background, and cancels it'),
    ),
    row(
      'finished jobs can be cleared in one call',
      LIFE.clear,
      BROWSER('jobs', 'moves in the list with arrow keys, filters it, and clears finished jobs'),
    ),
    row('the cluster page shows a summary', LIFE.clusterPage),
    row(
      'the cluster page shows node resource usage as bars, in cards up to 3 per row',
      LIFE.clusterPage,
      LIFE.cards,
    ),
    row(
      'the cluster page shows one card per resource, from a listing across all namespaces',
      BROWSER(
        'resources-overview',
        'counts each kind on the cluster page, finds names, and links to the table of a kind',
      ),
      LIFE.overview,
    ),
    row(
      'the cluster page leads to a pod restart action',
      BROWSER('resources', 'restarts and deletes Pods and scales workloads, on desktop and phone'),
    ),
    row(
      'the cluster page shows a card with installed addons',
      BROWSER('create', 'installs selected addons and shows invalid values at the addon'),
    ),
    row(
      'addons are installed through the package manager',
      LIFE.addon,
      REAL('cluster/addons', 'installs, upgrades and rolls back a chart'),
    ),
    row(
      'install, upgrade and delete operations are in the journal with a message',
      LIFE.addon,
      LIFE.addonPage,
    ),
    row('the journal page has a column for messages', LIFE.journalPage),
    row(
      'a service-mesh console runs anonymously, without login and password fields in UI and API',
      LIFE.kiali,
      API('addons', 'rejects %s before anything changes'),
    ),
    row('the values of installed addons are collapsed when loaded', LIFE.addonPage),
    row('a kubeconfig per cluster, and a variant for containers', LIFE.kubeconfig, LIFE.docker),
    row('cluster creation uses the saved config file of the cluster', LIFE.created),
    row('a cluster config can be edited', LIFE.configPage),
    row('creation is validated in the UI, and errors are in a modal alert', LIFE.alert),
  ],
  'the log board': [
    row('a sign-in page', BOARD.page),
    row('JWT-protected API endpoints', BOARD.closed, BOARD.login),
    row('a protected WebSocket', BOARD.badSocket),
    row('the earlier scheme is removed', BOARD.asBasic, BOARD.variables),
    row('examples use port 9001', BOARD.defaults),
  ],
  'resources and their fields: cluster': [
    row(
      'a cluster is identified by its name',
      API('clusters', 'reject an existing name, and report its owner'),
    ),
    row(
      'create parameters: cluster name, number of workers, node image tag, validated before creation',
      LIFE.invalid,
      API('clusters', 'report all problems of a request with their fields'),
    ),
    row(
      'a saved cluster config file, a meta record and a provision log named provision_log.json',
      LIFE.created,
      LIFE.provisionLog,
    ),
    row('the meta record has a flag for a changed config and a count of workers', LIFE.saved),
  ],
  'resources and their fields: stats': [
    row('cluster_resources: CPU, RAM and I/O usage for each cluster node', LIFE.stats),
    row('container_cli: name of the container runtime command-line tool in use', LIFE.stats),
    row(
      'total_workers_from_meta: always a number; 0 when no meta exists',
      API('reads', 'counts total_workers_from_meta, 0 without a readable meta'),
    ),
  ],
  'resources and their fields: job': [
    row('the job view has fields whose names begin with progress_', LIFE.jobView),
    row('the job list omits progress_log', LIFE.jobList),
    row('a job has an identifier', LIFE.created, API('jobs', 'returns job_not_found for the id %s')),
  ],
  'resources and their fields: journal entry': [
    row('recent entries, including deployment jobs, each with a message', LIFE.entries),
    row('package-manager operations (install, upgrade, delete) each with a message', LIFE.addon),
    row('paged response fields total, page, total_pages', LIFE.pages),
  ],
  'resources and their fields: addon': [row('configurable values, and a package-manager state', LIFE.addon)],
  'resources and their fields: credentials and token': [
    row('one configured user name and password, and a JWT', BOARD.me, BOARD.wrong, BOARD.login),
  ],
  'states and transitions': [
    row('PUT of the cluster config sets the config-changed flag in the meta', LIFE.saved),
    row('the UI shows a modal after saving the config', LIFE.configPage),
    row(
      'start with the config-changed flag recreates the cluster from the saved config, in a background job',
      LIFE.reapply,
    ),
    row('start creates a background job; the response carries its identifier', LIFE.start),
    row('stop creates a background job; the response carries its identifier', LIFE.stop),
    row('the UI shows a full-screen spinner until a start or stop ends', LIFE.screen),
    row('cancel of a running job cancels it', LIFE.cancel),
    row(
      'cancel of a running job kills its process',
      REAL('failed-creation.spec', 'removes everything after a cancel'),
      FAULT('creation', 'is cancelled even if kind and its child process ignore SIGTERM'),
    ),
    row('DELETE on the jobs collection removes finished jobs', LIFE.clear),
    row('DELETE on the jobs collection keeps unfinished jobs', API('jobs', 'is not deleted by DELETE /jobs')),
    row(
      'a failed creation rolls back its stages',
      API('failed-clusters', 'is rolled back, and keeps config, meta and log'),
      REAL('failed-creation.spec', 'rolls back, and keeps config and log'),
    ),
  ],
  endpoints: [
    row('GET /api/v1/health · health status', LIFE.health, LIFE.publicHealth),
    row('GET /api/v1/stats · stats object', LIFE.stats),
    row('GET /api/v1/journal/recent · limit, offset · page of journal entries', LIFE.entries, LIFE.pages),
    row('GET /api/v1/docs/readme · the project readme text', LIFE.readme),
    row('GET clusters collection · list of clusters', LIFE.created),
    row(
      'POST clusters collection · name, number of workers, node image tag · a job; create runs from the saved config',
      LIFE.created,
    ),
    row('GET one cluster · cluster detail', LIFE.created),
    row(
      'DELETE one cluster · deletion result',
      API('clusters', 'are deleted with their containers, volumes and files, which the response lists'),
    ),
    row(
      'GET cluster config · the cluster config',
      API('config', 'returns the saved bytes with a strong ETag'),
    ),
    row('PUT cluster config · saved config; sets the config-changed flag', LIFE.saved),
    row('POST /clusters/{name}/start · job identifier', LIFE.start),
    row('POST /clusters/{name}/stop · job identifier', LIFE.stop),
    row('GET overview · summary, and blocks with the prefix k8s_ across all namespaces', LIFE.overview),
    row('POST pod restart · restart result', LIFE.restart),
    row('GET …/provision-log · content of provision_log.json', LIFE.provisionLog),
    row('GET …/kubeconfig · kubeconfig', LIFE.kubeconfig),
    row(
      'GET …/kubeconfig/docker · host alias, API server port and TLS server name',
      LIFE.docker,
      REAL('cluster/kubeconfig', 'work with verified TLS in a container on the host network'),
    ),
    row('GET versions · node image tags', LIFE.versions),
    row('GET jobs collection · list of jobs without progress_log', LIFE.jobList),
    row('GET one job · job view with progress_* fields', LIFE.jobView),
    row('POST /jobs/{id}/cancel · cancellation result', LIFE.cancel),
    row('DELETE /jobs · finished jobs are cleared', LIFE.clear),
    row('GET /favicon.ico · SVG favicon', LIFE.favicon),
    row('addon endpoints list addons, show installed ones, install, upgrade and delete', LIFE.addon),
    row('POST /api/auth/login · credentials · a JWT on success', BOARD.login),
    row('POST /api/auth/logout · the JWT in the Authorization header · logout result', BOARD.logout),
    row('GET /api/auth/me · the JWT in the Authorization header · the current user', BOARD.me),
  ],
  authentication: [
    row('the service-mesh console is anonymous by default and has no login', LIFE.kiali),
    row('sign-in is by JWT, and tokens of the old scheme do not work', BOARD.login, BOARD.asBasic),
    row('a sign-in page exists; a page without a valid session redirects to it', BOARD.redirect, BOARD.page),
    row('every API endpoint requires Authorization: Bearer <JWT>', BOARD.closed),
    row('a WebSocket carries the JWT in the query parameter token', BOARD.socket),
    row('sessions expire after SESSION_TIMEOUT seconds', BOARD.me, BOARD.expires),
    row('APP_USER, with a default', BOARD.me, BOARD.defaults),
    row('APP_PASS', BOARD.password, BOARD.variables),
    row('SECRET_KEY signs JWTs; placeholders are rejected', BOARD.accepted, BOARD.variables),
    row('AUTH_METHOD is jwt, no longer basic', BOARD.variables),
    row('SESSION_TIMEOUT, default 3600', BOARD.me, BOARD.defaults),
    row('ENCRYPTION_KEY', BOARD.keys, BOARD.variables),
  ],
  events: [
    row(
      'job progress is delivered by polling job views',
      LIFE.jobView,
      API('jobs', 'reports pulled bytes and a percentage that never decreases'),
    ),
    row(
      'the WebSocket of the log board requires the JWT in the query parameter token',
      BOARD.socket,
      BOARD.badSocket,
    ),
  ],
  errors: [
    row('log board call without a valid JWT · Unauthorized', BOARD.closed, BOARD.forged),
    row('wrong credentials · Unauthorized', BOARD.wrong),
    row('log board page without a session · redirect to the sign-in page', BOARD.redirect),
    row(
      'invalid name, number of workers or node image tag · rejected; modal alert',
      LIFE.invalid,
      LIFE.alert,
    ),
    row(
      'expired session · the JWT is not accepted',
      BOARD.expires,
      BROWSER('sessions', 'resumes an expired session on the same page, but only with the password'),
    ),
  ],
  limits: [
    row('journal page size (limit) · default 30 entries per page', LIFE.entries),
    row('session lifetime · SESSION_TIMEOUT, default 3600 seconds', BOARD.login, BOARD.defaults),
    row('cards of node resources per row on the cluster page · up to 3', LIFE.cards),
    row('the API journal limit exists', API('reads', 'rejects %s')),
    row(
      'the job log buffer limit exists',
      UNIT('modules/jobs/job-log', 'has the limits that the API documents'),
    ),
  ],
  versioning: [
    row(
      'the REST API is version 1, with the prefix /api/v1',
      API('promises', 'has its paths below /api/v1, and those of the sign-in below /api/auth'),
    ),
    row(
      'the authentication scheme of the log board is version 2.0.0',
      API('sign-in', 'serves the API document only with a session'),
    ),
  ],
};
