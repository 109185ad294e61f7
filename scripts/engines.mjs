import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { run } from './process.mjs';

const KNOWN = ['docker', 'podman'];
const ANSWER_MS = 10_000;

/** The engines for the real suites: `APP_TEST_ENGINES`, by default both. */
export function wantedEngines() {
  return (process.env.APP_TEST_ENGINES ?? KNOWN.join(','))
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Everything that the real suites lack on this machine, each in a sentence that says what to do. */
export async function findLacks(engines) {
  const lacks = [];
  for (const program of ['kind', 'kubectl']) {
    if (!(await works(program, program === 'kind' ? ['version'] : ['version', '--client'])))
      lacks.push(`${program} is not on PATH. Install it: ${INSTALL[program]}`);
  }
  for (const engine of engines) lacks.push(...(await lacksOf(engine)));
  if (!existsSync(process.env.APP_TEST_VICTORIA_LOGS ?? ''))
    lacks.push(
      'APP_TEST_VICTORIA_LOGS names no program. Set it to the path of VictoriaLogs, version 1.24 or newer: https://docs.victoriametrics.com/victorialogs/',
    );
  if (engines.length === 0) lacks.push('APP_TEST_ENGINES names no engine. Give docker, podman or both.');
  return lacks;
}

const INSTALL = {
  kind: 'https://kind.sigs.k8s.io/docs/user/quick-start/#installation',
  kubectl: 'https://kubernetes.io/docs/tasks/tools/',
};

async function lacksOf(engine) {
  if (!KNOWN.includes(engine))
    return [`APP_TEST_ENGINES holds "${engine}"; it takes ${KNOWN.join(' and ')}.`];
  const leaveOut = `or leave it out: APP_TEST_ENGINES=${KNOWN.filter((name) => name !== engine).join(',')}`;
  if (!(await works(engine, ['version']))) return [`${engine} does not respond. Start it, ${leaveOut}.`];
  const lacks = [];
  if (engine === 'podman' && !(await podmanSocketAnswers()))
    lacks.push(
      `Podman's API socket does not answer. Start it (systemctl --user enable --now podman.socket, without --user as root), name it by APP_PODMAN_SOCKET, ${leaveOut}.`,
    );
  const image = process.env.APP_TEST_NODE_IMAGE;
  if (image && !(await works(engine, ['image', 'inspect', image])))
    lacks.push(
      `${engine} does not hold the node image ${image} (APP_TEST_NODE_IMAGE). Get it: ${engine} pull ${image}`,
    );
  return lacks;
}

async function works(program, args) {
  const { status } = await run(program, args, { quiet: true });
  return status === 0;
}

async function podmanSocketAnswers() {
  const named = process.env.APP_PODMAN_SOCKET;
  const places = named
    ? [named.replace(/^unix:\/\//, '')]
    : [
        join(process.env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.() ?? 0}`, 'podman', 'podman.sock'),
        '/run/podman/podman.sock',
      ];
  for (const place of places) if (existsSync(place) && (await pings(place))) return true;
  return false;
}

function pings(socketPath) {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/_ping', timeout: ANSWER_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
