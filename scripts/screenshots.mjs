import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { BuiltServer } from './built-server.mjs';
import { fail, root, say } from './process.mjs';

/** The pictures of README and docs, as their pages show the demo. */
const FOLDER = join(root, 'docs', 'screenshots');
const PASSWORD = 'correct horse battery staple';
const CLUSTERS = [
  { name: 'staging', workers: 2 },
  { name: 'payments-dev', workers: 1 },
  { name: 'ci-smoke', workers: 0 },
];
/** For lines, and usage of nodes. */
const RUNNING_MS = 45_000;
const JOB_MS = 60_000;

const PICTURES = [
  {
    file: 'clusters-light.png',
    address: ({ url }) => `${url}/clusters`,
    height: 720,
    ready: (page) => page.getByRole('grid', { name: 'Clusters' }).getByText('ci-smoke').first(),
  },
  {
    file: 'log-board-light.png',
    address: ({ logBoardUrl }) => `${logBoardUrl}/logs?q=timeout`,
    height: 700,
    ready: (page) => page.locator('.ll mark').first(),
  },
];

await ensureBuilt(['server', 'frontend'], { types: false });
const executablePath = (await findBrowser()) ?? fail('there is no browser for the pictures.');
const server = await BuiltServer.start({
  APP_RUNTIME: 'demo',
  APP_DEMO_SPEED: '10',
  APP_PASS: PASSWORD,
  APP_USER: 'admin',
});
const browser = await chromium.launch({ executablePath });
try {
  const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' });
  // Both applications have the session in a cookie.
  const credentials = { data: { username: 'admin', password: PASSWORD } };
  const signedIn = await context.request.post(`${server.url}/api/auth/login`, credentials);
  const { access_token: token } = await signedIn.json();
  const send = async (method, path, data) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await context.request.fetch(server.url + path, { method, headers, data });
    if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`);
    return await response.json();
  };
  const { default_tag: node_image_tag } = await send('GET', '/api/v1/versions');
  for (const cluster of CLUSTERS) {
    const { job_id: id } = await send('POST', '/api/v1/clusters', { ...cluster, node_image_tag });
    const deadline = performance.now() + JOB_MS;
    while ((await send('GET', `/api/v1/jobs/${id}`)).state !== 'succeeded') {
      if (performance.now() > deadline) throw new Error(`${cluster.name} was not created in time`);
      await delay(200);
    }
  }
  say(`the clusters run; pictures in ${RUNNING_MS / 1000} s`);
  await delay(RUNNING_MS);
  mkdirSync(FOLDER, { recursive: true });
  for (const { file, address, height, ready } of PICTURES) {
    const page = await context.newPage();
    await page.setViewportSize({ width: 1280, height });
    await page.goto(address(server));
    await ready(page).waitFor();
    await page.evaluate('document.fonts.ready');
    await page.screenshot({ path: join(FOLDER, file), animations: 'disabled' });
    await page.close();
    say(`wrote docs/screenshots/${file}`);
  }
} finally {
  await browser.close();
  await server.stop();
}
