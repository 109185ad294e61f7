import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { root } from '../../scripts/process.mjs';
import { Figure } from './figures.mjs';

const LATER_STARTS = 10;
/** After this time, a server without clients is at rest. */
const REST_MS = 30_000;

/** The npm package of `npm run release`: from its install to the first response, later starts, and memory at rest. */
export async function installed({ engine = 'docker' }) {
  const folder = join(root, 'dist', 'release');
  const tarball = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  );
  const prefix = mkdtempSync(join(tmpdir(), 'bench-package-'));
  mkdirSync(join(prefix, 'lib'));
  // As in a shell where the cache of compiled code is empty, too.
  const home = { XDG_CACHE_HOME: join(prefix, 'cache') };
  try {
    const began = performance.now();
    execFileSync('npm', ['install', '--global', `--prefix=${prefix}`, tarball], { stdio: 'ignore' });
    const command = [join(prefix, 'bin', 'slipway')];
    const demo = { ...home, APP_RUNTIME: 'demo' };
    await (await BuiltServer.start(demo, command)).stop();
    const first = performance.now() - began;
    const later = [];
    for (let run = 0; run < LATER_STARTS; run += 1) {
      const server = await BuiltServer.start(demo, command);
      later.push(server.healthyAfterMs);
      await server.stop();
    }
    return [
      new Figure({
        title: 'npm package, install to first response',
        unit: 'ms',
        goal: 30_000,
        values: [first],
      }),
      new Figure({ title: 'npm package, later start to healthy', unit: 'ms', goal: 1500, values: later }),
      await atRest('demo', 150, demo, command),
      await atRest(engine, 200, { ...home, APP_RUNTIME: engine }, command),
    ];
  } finally {
    rmSync(prefix, { recursive: true, force: true });
  }
}

async function atRest(name, goal, environment, command) {
  const server = await BuiltServer.start(environment, command);
  await delay(REST_MS);
  const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${server.child.pid}/smaps_rollup`, 'utf8'));
  await server.stop();
  return new Figure({ title: `memory at rest, ${name}`, unit: 'MB', goal, values: [kilobytes / 1000] });
}
