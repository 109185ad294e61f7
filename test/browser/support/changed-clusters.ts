import type { Page } from '@playwright/test';

export interface ClusterRow {
  name: string;
  runtime: string;
  state: string;
  nodes: { name: string; state: string }[];
  [field: string]: unknown;
}

/**
 * Answers with changed records, and lets no message of the socket contradict them.
 * @param alsoSilent what else the socket does not tell, since the test changes its answers too.
 */
export async function changeClusters(
  page: Page,
  change: (rows: ClusterRow[]) => object[],
  ...alsoSilent: string[]
): Promise<void> {
  const silent = ['clusters', ...alsoSilent].map((type) => `{"type":"${type}"`);
  await page.routeWebSocket('/events', (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      if (!silent.some((start) => String(text).startsWith(start))) socket.send(text);
    });
  });
  await page.route('**/api/v1/clusters', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as ClusterRow[]) });
  });
}
