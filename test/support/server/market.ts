import { expect } from '@jest/globals';
import { createCluster } from '../app/clusters.js';
import { packChart, shopChart } from '../charts/own-chart.js';
import type { ScriptedApiServer } from '../engine/scripted-api-server.js';
import { makeDemoCluster } from '../kubernetes/demo-cluster.js';
import type { ScriptedHelm } from '../programs/scripted-helm.js';
import { withServer, type ScriptedServer } from './scripted-server.js';

/** Of the cluster in a market. */
export const ADDONS = '/api/v1/clusters/c/addons';

export interface Market {
  server: ScriptedServer;
  helm: ScriptedHelm;
  api: ScriptedApiServer;
}

/** Runs a test with a cluster and uploaded charts. */
export async function inMarket(
  version: ScriptedHelm['version'],
  test: (market: Market) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const inside = await makeDemoCluster('c');
  try {
    await withServer(
      async (server) => {
        const { client, machine } = server;
        await createCluster(client, 'c', { workers: 1 });
        const api = machine.kind.apiServers.get('docker/c');
        if (!api) throw new Error('there is no API server');
        api.behind = inside.world.apiServer('c');
        for (const chart of ['1.0.0', '1.1.0']) {
          const text = await packChart(shopChart(chart));
          const headers = { 'content-type': 'application/gzip' };
          expect((await client.send('POST', `${ADDONS}/charts`, { text, headers })).status).toBe(201);
        }
        await test({ server, helm: machine.helm, api });
      },
      { helm: version },
      environment,
    );
  } finally {
    await inside.remove();
  }
}
