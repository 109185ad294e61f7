import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../../scripts/build.mjs';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { fail, root, run, say } from '../../scripts/process.mjs';

/**
 * Sends requests that Schemathesis makes from the OpenAPI documents, valid and invalid ones, to a server in demo mode
 * with a cluster: none may end with a server error or a status that the document does not name. `--requests` says how
 * many, roughly.
 */
/** With names of what exists, and with any. */
const NAMES = [{ EXISTING: '1' }, {}];
const CLUSTER = 'demo';
const USER = 'admin';
const PASSWORD = 'correct horse battery';
const REQUIREMENTS = join(root, 'test', 'schema', 'requirements.txt');
const { values } = parseArgs({ options: { requests: { type: 'string', default: '100000' } } });
const program = await findSchemathesis();
await ensureBuilt();

// Files that requests write outside of the data folder, such as the user's kubeconfig, end up here.
const home = mkdtempSync(join(tmpdir(), 'slipway-schema-'));
const server = await BuiltServer.start({
  APP_RUNTIME: 'demo',
  APP_DEMO_SPEED: '20',
  // For the addresses of test/schema/hooks.py.
  APP_TRUSTED_PROXIES: '127.0.0.1',
  APP_USER: USER,
  APP_PASS: PASSWORD,
  HOME: home,
  KUBECONFIG: join(home, 'config'),
});
let ended = false;
server.child.on('exit', () => (ended = true));
let failed = 0;
let generated = 0;
try {
  const session = await signIn();
  const token = await createToken(session);
  const keeper = keepCluster(token);
  const access = ['--include-path-regex', '^/api/auth/'];
  // The merged log of a workload ends with the request only.
  const rest = ['--exclude-path-regex', String.raw`^/api/auth/|/\{namespace\}/logs$`];
  const shares = [
    ['openapi.json', server.url, token, 0.75, rest],
    ['openapi.log-board.json', server.logBoardUrl, token, 0.2, rest],
    // Access tokens may not manage access. Requests that end the session are left to the API tests.
    ['openapi.json', server.url, session, 0.05, [...access, '--exclude-path-regex', '/(logout|sessions)$']],
  ];
  // Processes instead of its own workers, which can end with an error of Python.
  const results = await Promise.all(
    shares.map(([file, url, headers, share, filter]) =>
      send(file, url, headers, Math.round(Number(values.requests) * share), filter),
    ),
  );
  for (const result of results) {
    generated += result.generated;
    failed += result.failed;
  }
  clearInterval(keeper);
  if (ended) failed += 1;
} finally {
  const status = ended ? server.child.exitCode : await server.stop();
  if (status !== 0) {
    say(`the server ended with ${status}:\n${server.output.slice(-10_000)}`);
    failed += 1;
  }
  rmSync(home, { recursive: true, force: true });
}
say(`${generated} requests from the OpenAPI documents; by status: ${countByStatus(server.output)}`);
process.stdout.write(`${failed === 0 ? 1 : 0} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && generated >= Number(values.requests) * 0.8 ? 0 : 1;

/** @returns how many requests were made, and how many operations failed. */
async function send(file, url, headers, requests, filter) {
  const operations = countOperations(file, filter.includes('--include-path-regex'));
  const common = [
    `--url=${url}`,
    `--header=authorization:${headers.authorization}`,
    '--checks=not_a_server_error,status_code_conformance',
    '--phases=fuzzing',
    '--continue-on-failure',
    '--request-timeout=60',
    '--max-redirects=1',
    '--suppress-health-check=all',
    '--generation-database=none',
    '--warnings=off',
    '--no-color',
    '--no-shrink',
    ...filter,
  ];
  let [made, wrong] = [0, 0];
  for (const names of NAMES) {
    const most = `--max-examples=${Math.ceil(requests / NAMES.length / operations)}`;
    const args = [
      '--config-file',
      join(root, 'test', 'schema', 'schemathesis.toml'),
      'run',
      file,
      ...common,
      most,
    ];
    const environment = { SCHEMATHESIS_HOOKS: join(root, 'test', 'schema', 'hooks.py'), ...names };
    const { status, output } = await run(program, args, { quiet: true, environment });
    const cases = Number(
      /^ *Test cases:\n *(\d[\d,]*) generated/m.exec(output)?.[1].replaceAll(',', '') ?? 0,
    );
    say(
      `${file}, ${Object.keys(names)[0] === undefined ? 'any' : 'existing'} names: ${cases} requests, exit status ${status}`,
    );
    if (status !== 0) process.stdout.write(output.replaceAll(/^(.{1000}).*$/gm, '$1 …'));
    made += cases;
    wrong += status === 0 ? 0 : 1;
  }
  return { generated: made, failed: wrong };
}

function countOperations(file, ofAccess) {
  const { paths } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/auth/') === ofAccess)
    .flatMap(([, operations]) => Object.keys(operations)).length;
}

async function signIn() {
  const { access_token: token } = await post('/api/auth/login', { username: USER, password: PASSWORD });
  return authorization(token);
}

async function createToken(session) {
  const expires = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const { token } = await post(
    '/api/auth/tokens',
    { name: 'schema', scope: 'full', expires_at: expires },
    session,
  );
  return authorization(token);
}

function authorization(token) {
  return { authorization: `Bearer ${token}`, 'x-forwarded-for': '10.0.0.1' };
}

async function post(path, body, headers = { 'x-forwarded-for': '10.0.0.1' }) {
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return await answer.json();
}

/** Creates the cluster again whenever a request has deleted it, and starts it again. */
function keepCluster(headers) {
  const cluster = { name: CLUSTER, workers: 1, node_image_tag: 'v1.34.4' };
  return setInterval(async () => {
    const change = (path, body) => post(`/api/v1/clusters${path}`, body, headers).catch(() => undefined);
    await change('', cluster);
    for (const action of ['unpause', 'start']) await change(`/${CLUSTER}/${action}`, {});
  }, 3_000);
}

/** Outside of the clone, since it is large and the same for each. */
async function findSchemathesis() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const hash = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = join(cache, 'slipway', `schemathesis-${hash}`);
  const found = join(folder, 'bin', 'schemathesis');
  if (existsSync(found)) return found;
  say('installing Schemathesis');
  const quiet = { quiet: true };
  let made = await run('python3', ['-m', 'venv', folder], quiet);
  if (made.status !== 0 && process.getuid?.() === 0) {
    const packages = ['python3-venv', 'python3-pip'];
    const environment = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], quiet);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
      quiet: true,
      environment,
    });
    made = await run('python3', ['-m', 'venv', folder], quiet);
  }
  if (made.status === 0)
    made = await run(join(folder, 'bin', 'pip'), ['install', '-q', '-r', REQUIREMENTS], quiet);
  if (made.status === 0) return found;
  rmSync(folder, { recursive: true, force: true });
  return fail(`could not install Schemathesis, which needs Python 3.10 or later with venv:\n${made.output}`);
}

/** Shows how far the requests get. */
function countByStatus(log) {
  const counts = new Map();
  for (const [, status] of log.matchAll(/"status":(\d{3})/g))
    counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort()
    .map(([status, count]) => `${status} ${count}`)
    .join(', ');
}
