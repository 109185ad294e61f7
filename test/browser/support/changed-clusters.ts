import type { Page } from '@playwright/test';

export interface ClusterRow {
  name: string;
  runtime: string;
  state: string;
  nodes: { name: string; state: string }[];
  [field: string]: unknown;
}

/**
 * Changes the cluster records of responses, and suppresses WebSocket messages that would contradict them.
 * @param suppressed further message types to suppress, because the test changes these records too
 */
export async function changeClusters(
  page: Page,
  change: (rows: ClusterRow[]) => object[],
  ...suppressed: string[]
): Promise<void> {
  const dropped = ['clusters', ...suppressed].map((type) => `{"type":"${type}"`);
  await page.routeWebSocket('/events', (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      if (!dropped.some((start) => String(text).startsWith(start))) socket.send(text);
    });
  });
  await page.route('**/api/v1/clusters', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as ClusterRow[]) });
  });
}
