import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './process.mjs';

const KNOWN = ['docker', 'podman'];

/** The engines for the real suites: `APP_TEST_ENGINES`, by default both. */
export function wantedEngines() {
  return (process.env.APP_TEST_ENGINES ?? KNOWN.join(',')).split(',').map((name) => name.trim());
}

/** Missing requirements of the real suites, each as a sentence that says what to do. */
export async function findMissingEngines(engines) {
  const missing = [];
  const needs = async (command, otherwise) => {
    const { status } = await run(command[0], command.slice(1), { quiet: true });
    if (status !== 0) missing.push(otherwise);
  };
  await needs(['kind', 'version'], 'kind is not on PATH. Install it: https://kind.sigs.k8s.io');
  await needs(
    ['kubectl', 'version', '--client'],
    'kubectl is not on PATH. Install it: https://kubernetes.io',
  );
  for (const engine of engines) {
    if (!KNOWN.includes(engine)) {
      missing.push(`APP_TEST_ENGINES contains "${engine}". Valid engines: ${KNOWN.join(', ')}.`);
      continue;
    }
    const leaveOut = `or leave it out: APP_TEST_ENGINES=${KNOWN.find((name) => name !== engine)}`;
    await needs([engine, 'version'], `${engine} does not respond. Start it, ${leaveOut}.`);
    if (engine === 'podman') {
      await needs(
        ['podman', '--remote', `--url=unix://${podmanSocket()}`, 'version'],
        `The API socket of Podman does not respond. Start it (systemctl --user enable --now podman.socket, without --user as root), set APP_PODMAN_SOCKET, ${leaveOut}.`,
      );
    }
    const image = process.env.APP_TEST_NODE_IMAGE;
    if (image) {
      await needs(
        [engine, 'image', 'inspect', image],
        `${engine} does not have the node image ${image} (APP_TEST_NODE_IMAGE). Run: ${engine} pull ${image}`,
      );
    }
  }
  return missing;
}

function podmanSocket() {
  const { APP_PODMAN_SOCKET: named, XDG_RUNTIME_DIR: folder = '/run' } = process.env;
  const ofUser = join(folder, 'podman', 'podman.sock');
  return named?.replace(/^unix:\/\//, '') ?? (existsSync(ofUser) ? ofUser : '/run/podman/podman.sock');
}

/** Go builds the program that reads configs as kind does. */
export async function findMissingGo() {
  const { status } = await run('go', ['version'], { quiet: true });
  return status === 0 ? [] : ['go is not on PATH. Install it: https://go.dev'];
}

export function findMissingVictoriaLogs() {
  if (existsSync(process.env.APP_TEST_VICTORIA_LOGS ?? '')) return [];
  return [
    'APP_TEST_VICTORIA_LOGS is not the path of a program. Set it to VictoriaLogs, version 1.24 or newer: https://docs.victoriametrics.com/victorialogs/',
  ];
}
