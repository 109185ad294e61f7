import { BuiltServer } from '../../scripts/built-server.mjs';
import { findMissingEngines } from '../../scripts/engines.mjs';
import { say } from '../../scripts/process.mjs';
import { Figure } from './figures.mjs';
import { ask, jobUntil, presentImage } from './product.mjs';

/** Demo time. Fast enough for a short run, slow enough that the polls do not blur the figures. */
const DEMO_SPEED = '4';

/**
 * The error of the predicted time left at a third of the way, for clusters of one shape. The first one teaches the times of
 * this machine and is not counted.
 */
export async function progress({ pairs: creations = 5, engine = 'docker' }) {
  const isDemo = engine === 'demo';
  const missing = isDemo ? [] : await findMissingEngines([engine]);
  if (missing.length > 0) throw new Error(missing.join(' '));
  const server = await BuiltServer.start({
    APP_RUNTIME: engine,
    ...(isDemo && { APP_DEMO_SPEED: DEMO_SPEED }),
  });
  const name = 'bench-progress';
  try {
    const { tag } = await presentImage(server, engine);
    const errors = [];
    for (let creation = 0; creation <= creations; creation += 1) {
      const { took, samples } = await follow(server, {
        name,
        workers: 1,
        node_image_tag: tag,
        runtime: engine,
      });
      await ask(server, 'DELETE', `/clusters/${name}`);
      if (creation === 0) continue;
      const third = samples.find(({ at }) => at >= took / 3);
      if (typeof third?.left !== 'number') throw new Error('no time left was predicted');
      const left = took - third.at;
      errors.push((100 * Math.abs(third.left - left)) / left);
      say(`progress: creation ${creation}: ${third.left} s predicted, ${left.toFixed(1)} s left`);
    }
    return [
      new Figure({
        title: `create 1+1 on ${engine}, error of the time left at a third of the way`,
        unit: '%',
        goal: 20,
        values: errors,
      }),
    ];
  } finally {
    // Whatever a failure left.
    await ask(server, 'DELETE', `/clusters/${name}`).catch(() => undefined);
    await server.stop();
  }
}

/** Creates a cluster. Seconds that it took, and what was predicted when. */
async function follow(server, body) {
  const { job_id: id } = await ask(server, 'POST', '/clusters', body);
  const samples = [];
  const job = await jobUntil(
    server,
    id,
    ({ started_at: started, finished_at: finished, seconds_left: left }) => {
      if (started !== null) samples.push({ at: (Date.now() - Date.parse(started)) / 1000, left });
      return finished !== null;
    },
  );
  if (job.state !== 'succeeded') throw new Error(`the creation ended ${job.state}: ${job.error?.message}`);
  return { took: (Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000, samples };
}
