import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { run } from './process.mjs';

const KNOWN = ['docker', 'podman'];
const RESPONSE_MS = 10_000;

/** The engines for the real suites: `APP_TEST_ENGINES`, by default both. */
export function wantedEngines() {
  return (process.env.APP_TEST_ENGINES ?? KNOWN.join(','))
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** What the real suites need and this machine lacks, each as a sentence that says what to do. */
export async function findMissingEngines(engines) {
  const missing = [];
  for (const program of ['kind', 'kubectl']) {
    if (!(await works(program, program === 'kind' ? ['version'] : ['version', '--client'])))
      missing.push(`${program} is not on PATH. Install it: ${INSTALL[program]}`);
  }
  for (const engine of engines) missing.push(...(await missingFor(engine)));
  if (engines.length === 0) missing.push('APP_TEST_ENGINES is empty. Set it to docker, podman or both.');
  return missing;
}

export function findMissingVictoriaLogs() {
  if (existsSync(process.env.APP_TEST_VICTORIA_LOGS ?? '')) return [];
  return [
    'APP_TEST_VICTORIA_LOGS is not the path of a program. Set it to VictoriaLogs, version 1.24 or newer: https://docs.victoriametrics.com/victorialogs/',
  ];
}

const INSTALL = {
  kind: 'https://kind.sigs.k8s.io/docs/user/quick-start/#installation',
  kubectl: 'https://kubernetes.io/docs/tasks/tools/',
};

async function missingFor(engine) {
  if (!KNOWN.includes(engine))
    return [`APP_TEST_ENGINES contains "${engine}". Valid engines: ${KNOWN.join(', ')}.`];
  const leaveOut = `or leave it out: APP_TEST_ENGINES=${KNOWN.filter((name) => name !== engine).join(',')}`;
  if (!(await works(engine, ['version']))) return [`${engine} does not respond. Start it, ${leaveOut}.`];
  const missing = [];
  if (engine === 'podman' && !(await podmanSocketResponds()))
    missing.push(
      `The API socket of Podman does not respond. Start it (systemctl --user enable --now podman.socket, without --user as root), set APP_PODMAN_SOCKET, ${leaveOut}.`,
    );
  const image = process.env.APP_TEST_NODE_IMAGE;
  if (image && !(await works(engine, ['image', 'inspect', image])))
    missing.push(
      `${engine} does not have the node image ${image} (APP_TEST_NODE_IMAGE). Run: ${engine} pull ${image}`,
    );
  return missing;
}

async function works(program, args) {
  const { status } = await run(program, args, { quiet: true });
  return status === 0;
}

async function podmanSocketResponds() {
  const named = process.env.APP_PODMAN_SOCKET;
  const paths = named
    ? [named.replace(/^unix:\/\//, '')]
    : [
        join(process.env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.() ?? 0}`, 'podman', 'podman.sock'),
        '/run/podman/podman.sock',
      ];
  for (const path of paths) if (existsSync(path) && (await pings(path))) return true;
  return false;
}

function pings(socketPath) {
  return new Promise((resolve) => {
    const ping = request({ socketPath, path: '/_ping', timeout: RESPONSE_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on('timeout', () => ping.destroy());
    ping.on('error', () => resolve(false));
    ping.end();
  });
}
