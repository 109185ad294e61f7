import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, say } from './process.mjs';

/** The headless shell comes first: it uses a third less CPU for the same pages. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'chrome'];
const MAC = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/**
 * Finds the system's Chromium or Chrome for the browser tests. Installs it as root on Debian;
 * otherwise prints the command and the variable that help, and returns undefined.
 */
export async function findBrowser() {
  const named = process.env.APP_TEST_BROWSER;
  const found = named ? [named].find(isExecutable) : (search() ?? (await install()));
  if (!found) {
    say(
      `the browser tests need ${named ?? 'Chromium or Chrome'}: sudo apt-get install chromium, or name one: APP_TEST_BROWSER=/path/to/chrome npm test`,
    );
  }
  return found;
}

async function install() {
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return undefined;
  say('installing Debian’s Chromium for the browser tests');
  const quiet = { quiet: true, environment: { DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update', '-qq'], quiet);
  const fonts = ['fonts-liberation', 'fonts-dejavu-core'];
  for (const name of NAMES.slice(0, 2)) {
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, ...fonts], quiet);
    if (search()) break;
  }
  return search();
}

function search() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MAC].find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
