import { BuiltServer } from '../../scripts/built-server.mjs';
import { Figure } from './figures.mjs';
import { ask, jobUntil } from './product.mjs';

const CREATES = 10;

/** From the click on "create" to the job's id, and to the first step that is under way. */
export async function click() {
  const server = await BuiltServer.start({ APP_RUNTIME: 'demo', APP_DEMO_SPEED: '20' });
  const toId = [];
  const toStep = [];
  try {
    for (let create = 0; create < CREATES; create += 1) {
      const began = performance.now();
      const { job_id: id } = await ask(server, 'POST', '/clusters', {
        name: `click-${create}`,
        workers: 1,
        node_image_tag: 'v1.34.4',
      });
      toId.push(performance.now() - began);
      await jobUntil(server, id, ({ progress_steps: steps }) =>
        steps.some(({ state }) => state !== 'pending'),
      );
      toStep.push(performance.now() - began);
      await jobUntil(server, id, ({ finished_at: finished }) => finished !== null);
    }
  } finally {
    await server.stop();
  }
  return [
    new Figure({ title: 'create, click to job id', unit: 'ms', goal: 200, decides: 'p95', values: toId }),
    new Figure({
      title: 'create, click to first step',
      unit: 'ms',
      goal: 2000,
      decides: 'p95',
      values: toStep,
    }),
  ];
}
