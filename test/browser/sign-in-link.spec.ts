import { join } from 'node:path';
import { expect } from '@playwright/test';
import { freePort } from '../support/free-port.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';
import { test } from './support/worker-fixtures.js';

test('opens both applications with the sign-in link of the terminal, even if the dashboard needs no sign-in', async ({
  page,
}) => {
  const { path: folder, remove } = await temporaryFolder();
  const server = await ServerProcess.start(
    {
      PATH: '/usr/bin:/bin',
      HOME: folder,
      APP_DATA_DIR: join(folder, 'data'),
      APP_RUNTIME: 'demo',
      APP_DEMO_SPEED: '100',
      // Fixed ports: the cookie name of each application contains its port.
      APP_PORT: String(await freePort()),
      APP_LOG_BOARD_PORT: String(await freePort()),
    },
    [],
  );
  try {
    const link = /http:\/\/localhost:\d+\/login#link=[\w-]+/;
    await waitFor(() => link.test(server.log), 'the sign-in link');
    await page.goto(link.exec(server.log)?.[0] ?? '');
    await expect(page).toHaveURL(`http://localhost:${server.client.port}/clusters`);
    await page.goto(`http://localhost:${server.board.port}/`);
    await expect(page).toHaveURL(`http://localhost:${server.board.port}/logs`);
  } finally {
    await server.kill();
    await remove();
  }
});
