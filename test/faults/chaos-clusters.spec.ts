import { describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { ResourceTableDto } from '../../backend/src/modules/resources/common/resource.dto.js';
import type { ApiResponse, ErrorResponse } from '../support/app/api-client.js';
import { requestCluster } from '../support/app/clusters.js';
import type { ApiFailure } from '../support/engine/scripted-api-server.js';
import { Chaos } from '../support/server/chaos-bench.js';
import { waitFor } from '../support/wait-for.js';

const RESOURCES = '/api/v1/clusters/c/resources';
const PODS = `${RESOURCES}/core/v1/pods`;
/** Requests of pages. */
const READS = [
  PODS,
  `${RESOURCES}/core/v1/nodes/c-worker`,
  '/api/v1/clusters/c/overview?blocks=pods',
  '/api/v1/clusters/c/problems',
];
const LONGEST_MS = 15_000;

describe('an engine that restarts', () => {
  it('is reported by the health, its clusters come back, and a creation ends with a reason', async () => {
    await Chaos.run(async (chaos) => {
      const { server, client } = chaos;
      const { kind } = server.machine;
      const engine = server.machine.engine('docker');
      kind.freezeAt('installing-cni');
      const id = await requestCluster(client, 'shop');
      await waitFor(() => kind.hasReached('installing-cni'), 'the step');
      await engine.goAway();
      engine.world.restart();
      await chaos.untilWrong('docker', /socket/);
      const { state_reason: reason } = await client.until<ClusterDto>(
        '/api/v1/clusters/c',
        ({ state }) => state === 'unknown',
      );
      expect(reason).toMatch(/docker/);
      await engine.comeBack();
      kind.thaw();
      await chaos.expectSettled(id);
      await chaos.expectHealthy();
    });
  });
});

describe('an API server that fails', () => {
  it('with 500, 429, slow and truncated responses is named in each response, and nothing is lost', async () => {
    await Chaos.run(async ({ api, client }) => {
      const names = async (): Promise<string[]> =>
        (await client.get<ResourceTableDto>(PODS)).rows.map(({ name }) => name);
      const before = await names();
      for (const failure of [500, 429, 'slow', 'truncated'] satisfies ApiFailure[]) {
        api.fail(failure);
        const failed: ErrorResponse[] = [];
        const ask = async (path: string): Promise<void> => {
          const begin = performance.now();
          const response = await client.send('GET', path);
          expect([path, performance.now() - begin < LONGEST_MS]).toEqual([path, true]);
          if (response.status !== 200) failed.push(response.body as ErrorResponse);
          else if (path === PODS) expect(namesIn(response)).toEqual(before);
        };
        const isKnown = async (): Promise<boolean> => {
          await Promise.all(READS.map(ask));
          return failed.length > 0;
        };
        if (failure === 'slow') expect(await isKnown()).toBe(false);
        else await waitFor(isKnown, `an error of ${failure}`);
        for (const { code, message } of failed) {
          expect(code).toBe('cluster_unreachable');
          expect(message).toMatch(/cluster/);
        }
        api.fail(undefined);
        await waitFor(
          async () => JSON.stringify(await names().catch(() => [])) === JSON.stringify(before),
          `all Pods after ${failure}`,
        );
      }
    });
  });
});

function namesIn({ body }: ApiResponse): string[] {
  return (body as ResourceTableDto).rows.map(({ name }) => name);
}
