import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, say } from './process.mjs';

const results = join(root, '.cache', 'results');
const reporter = (name) => join(root, 'test', 'support', 'reporters', name);

/**
 * Runs projects of jest.config.js. A file with a failed test runs once more, in a new process, since it may have left
 * a state behind; what passes then is reported as flaky.
 * @returns the counts.
 */
export async function runJest(projects, extra = [], environment = {}) {
  const reporters = ['default', reporter('jest-reporter.mjs')].map((name) => `--reporters=${name}`);
  const args = ['--selectProjects', ...projects, ...reporters, ...extra];
  // The tests of one cluster follow each other: none can run again alone.
  if (projects.includes('real')) return await runSuite('jest', args, environment);
  const first = await runSuite('jest', args, { ...environment, APP_TEST_REPEATS: '1' });
  if (first.failedFiles.length === 0) return first;
  const files = first.failedFiles.map(({ file }) => file);
  const second = await runSuite('jest', [...args, '--runTestsByPath', ...files], environment);
  const repeated = first.failedFiles.reduce((sum, { passed }) => sum + passed, 0);
  return { passed: first.passed - repeated + second.passed, failed: second.failed };
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
  const counts = readCounts(file);
  rmSync(file, { force: true });
  if (counts.failed > 0 || (counts.passed > 0 && status === 0)) return counts;
  say(`failed: ${program} ${args.join(' ')}: exit status ${status}, ${counts.passed} passed`);
  return { ...counts, failed: 1 };
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, failedFiles: [] };
  }
}

/** Prints the closing line and sets the exit status. */
export function close(counts) {
  const passed = counts.reduce((sum, entry) => sum + entry.passed, 0);
  const failed = counts.reduce((sum, entry) => sum + entry.failed, 0);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
