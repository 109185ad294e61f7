import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, say } from './process.mjs';

const results = join(root, '.cache', 'results');
const reporter = (name) => join(root, 'test', 'support', 'reporters', name);

/** Runs projects of jest.config.js. @returns the counts. */
export async function runJest(projects, extra = [], environment = {}) {
  const reporters = ['default', reporter('jest-reporter.mjs')].map((name) => `--reporters=${name}`);
  return await runSuite('jest', ['--selectProjects', ...projects, ...reporters, ...extra], environment);
}

/** Runs tests in a browser. @returns the counts. */
export async function runPlaywright(config, extra = [], environment = {}) {
  const reporters = `--reporter=list,${reporter('playwright-reporter.mjs')}`;
  return await runSuite('playwright', ['test', `--config=${config}`, reporters, ...extra], environment);
}

let runs = 0;

/** A suite that ends without counts, without a test, or with an error although no test failed, has failed. */
async function runSuite(program, args, environment) {
  const file = join(results, `${process.pid}-${(runs += 1)}.json`);
  mkdirSync(results, { recursive: true });
  const { status } = await run(program, args, { environment: { ...environment, APP_TEST_COUNTS: file } });
  const { passed, failed } = readCounts(file);
  rmSync(file, { force: true });
  if (failed > 0 || (passed > 0 && status === 0)) return { passed, failed };
  say(`failed: ${program} ${args.join(' ')}: exit status ${status}, ${passed} passed`);
  return { passed, failed: 1 };
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 0 };
  }
}

/** Prints the closing line and sets the exit status. */
export function close(counts) {
  const passed = counts.reduce((sum, entry) => sum + entry.passed, 0);
  const failed = counts.reduce((sum, entry) => sum + entry.failed, 0);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
