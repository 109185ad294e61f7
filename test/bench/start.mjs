import { BuiltServer } from '../../scripts/built-server.mjs';
import { ensureBuilt } from '../../scripts/build.mjs';
import { Figure } from './figures.mjs';

/** From the start of the built server to the first healthy answer. */
export async function start() {
  const values = [];
  for (let run = 0; run < 11; run += 1) {
    const server = await BuiltServer.start({ APP_RUNTIME: 'demo' });
    // The first one fills caches that every later start finds.
    if (run > 0) values.push(server.healthyAfterMs);
    await server.stop();
  }
  return [new Figure({ title: 'built server, start to healthy', unit: 'ms', goal: 1500, values })];
}

/** The same through `npm start` on a machine where all is installed and built. */
export async function again() {
  await ensureBuilt();
  const values = [];
  for (let run = 0; run < 5; run += 1) {
    const server = await BuiltServer.start({ APP_RUNTIME: 'demo' }, ['npm', 'start', '--silent']);
    values.push(server.healthyAfterMs);
    await server.stop();
  }
  return [new Figure({ title: '`npm start` again, to healthy', unit: 'ms', goal: 3000, values })];
}
