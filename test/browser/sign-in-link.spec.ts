import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';
import { browserSettings } from './support/browser-settings.js';

test.use(browserSettings());

test('the link in the terminal opens both applications, also where the dashboard needs no sign-in', async ({
  page,
}) => {
  const { path: folder, remove } = await temporaryFolder();
  const environment = { PATH: '/usr/bin:/bin', HOME: folder, APP_DATA_DIR: join(folder, 'data') };
  const server = await ServerProcess.start(
    { ...environment, APP_RUNTIME: 'demo', APP_DEMO_SPEED: '100' },
    [],
  );
  try {
    const link = /http:\/\/localhost:\d+\/login#link=[\w-]+/;
    await waitFor(() => link.test(server.log), 'the link');
    await page.goto(link.exec(server.log)?.[0] ?? '');
    await expect(page).toHaveURL(`http://localhost:${server.client.port}/clusters`);
    await page.goto(`http://localhost:${server.board.port}/`);
    await expect(page).toHaveURL(`http://localhost:${server.board.port}/logs`);
    // Without a link there is nothing to sign in to.
    await page.goto(`http://localhost:${server.client.port}/login?next=%2Fjournal`);
    await expect(page).toHaveURL(`http://localhost:${server.client.port}/journal`);
  } finally {
    await server.kill();
    await remove();
  }
});
