import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nodeProgram, root, run, say, tool, toolEnvironment } from './process.mjs';

const results = join(root, '.cache', 'results');

/**
 * Runs suites of Jest. A suite without a test, or with one that was skipped, has failed: it proves
 * nothing that it claims.
 * @param part of the suite, where parts of it run side by side.
 */
export async function runJest(projects, extra = [], { environment = {}, part = '' } = {}) {
  mkdirSync(results, { recursive: true });
  const file = join(results, `jest-${[...projects, part].filter(Boolean).join('-')}.json`);
  rmSync(file, { force: true });
  const { status } = await run(
    nodeProgram(),
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
      '--selectProjects',
      ...projects,
      '--json',
      `--outputFile=${file}`,
      ...extra,
    ],
    { environment: { ...toolEnvironment(), ...environment } },
  );
  return count(
    file,
    status,
    [...projects, part].filter(Boolean).join(', '),
    ({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites }) => ({
      passed: numPassedTests,
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped: numPendingTests + numTodoTests,
    }),
  );
}

/** Runs a suite of Playwright under the same rules. */
export async function runPlaywright(config, { environment = {}, part = '' } = {}) {
  mkdirSync(results, { recursive: true });
  const file = join(results, `playwright-${[config, part].join('-').replace(/\W+/g, '-')}.json`);
  rmSync(file, { force: true });
  const { status } = await run(tool('playwright'), ['test', `--config=${config}`, '--reporter=list,json'], {
    environment: { ...toolEnvironment(), ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
  });
  return count(file, status, [config, part].filter(Boolean).join(', '), ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }));
}

function count(file, status, name, read) {
  let counts;
  try {
    counts = read(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    say(`${name}: ended without a result (exit status ${status})`);
    return { passed: 0, failed: 1 };
  }
  const { passed, skipped } = counts;
  let { failed } = counts;
  if (passed + failed === 0) {
    say(`${name}: has no test`);
    failed += 1;
  }
  if (skipped > 0) {
    say(`${name}: ${skipped} tests were skipped`);
    failed += skipped;
  }
  // The program may fail without a failed test: a file that cannot be read, a hook at the very end.
  if (failed === 0 && status !== 0) failed = 1;
  return { passed, failed };
}

/** Prints the closing line and sets the exit status. */
export function close(counts) {
  const passed = counts.reduce((sum, entry) => sum + entry.passed, 0);
  const failed = counts.reduce((sum, entry) => sum + entry.failed, 0);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
