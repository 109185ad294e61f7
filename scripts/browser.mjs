import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, say } from './process.mjs';

/** The one without windows comes first: it takes a third less of the machine for the same pages. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/**
 * Finds the system's Chromium or Chrome for the browser tests. As root on Debian it is installed; else
 * undefined, after saying the command and the variable that help.
 */
export async function findBrowser() {
  const named = process.env.APP_TEST_BROWSER;
  if (named) {
    if (isExecutable(named)) return named;
    say(`APP_TEST_BROWSER names ${named}, which is not a program`);
    return undefined;
  }
  const found = search();
  if (found) return found;
  if (process.platform === 'linux' && process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get')) {
    say('installing Debian’s Chromium for the browser tests');
    await run('apt-get', ['update', '-qq'], { quiet: true });
    for (const name of ['chromium-headless-shell', 'chromium']) {
      await run(
        'apt-get',
        ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-liberation', 'fonts-dejavu-core'],
        { quiet: true, environment: { DEBIAN_FRONTEND: 'noninteractive' } },
      );
      const installed = search();
      if (installed) return installed;
    }
  }
  say(
    'the browser tests need Chromium or Chrome: sudo apt-get install chromium, or name one: APP_TEST_BROWSER=/path/to/chrome npm test',
  );
  return undefined;
}

function search() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates =
    process.platform === 'darwin'
      ? MAC
      : NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
