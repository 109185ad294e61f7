import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { nodeProgram, root, run, say, tool, toolEnvironment } from './process.mjs';

const results = join(root, '.cache', 'results');

/** More failed files than this are a broken change, not an unlucky test: they are not repeated. */
const MOST_REPEATED = 5;

/**
 * Runs suites of Jest. A suite without a test, or with one that was skipped, has failed: it proves nothing that it
 * claims. Files with failures run once more, alone: what passes then is reported as flaky, by name.
 * @param part of the suite, where parts of it run side by side.
 */
export async function runJest(projects, extra = [], { environment = {}, part = '' } = {}) {
  mkdirSync(results, { recursive: true });
  const name = [...projects, part].filter(Boolean);
  const once = async (file, options) => {
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
        ...options,
      ],
      { environment: { ...toolEnvironment(), ...environment } },
    );
    return status;
  };
  const file = join(results, `jest-${name.join('-')}.json`);
  const status = await once(file, extra);
  const first = readResults(file);
  const failed = first?.testResults.filter((one) => one.status === 'failed').map((one) => one.name) ?? [];
  if (failed.length === 0 || failed.length > MOST_REPEATED) {
    return count(first && jestCounts(first.testResults), status, name.join(', '));
  }
  say(`${name.join(', ')}: running ${failed.length} failed files again`);
  const repeated = join(results, `jest-${name.join('-')}-again.json`);
  const statusAgain = await once(repeated, ['--runInBand', '--runTestsByPath', ...failed]);
  const again = readResults(repeated);
  if (!again) return count(jestCounts(first.testResults), status, name.join(', '));
  const failedTests = new Set(failedTestsOf(first));
  const stillFailed = new Set(failedTestsOf(again));
  for (const test of failedTests) if (!stillFailed.has(test)) say(`flaky: ${test}`);
  return count(
    jestCounts([...first.testResults.filter((one) => one.status !== 'failed'), ...again.testResults]),
    statusAgain,
    name.join(', '),
  );
}

function jestCounts(files) {
  const tests = files.flatMap((one) => one.assertionResults);
  const of = (...states) => tests.filter(({ status }) => states.includes(status)).length;
  // A file that could not be run has no tests.
  const broken = files.filter((one) => one.status === 'failed' && one.assertionResults.length === 0).length;
  return {
    passed: of('passed'),
    failed: of('failed') + broken,
    skipped: of('pending', 'todo', 'skipped', 'disabled'),
  };
}

function failedTestsOf({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      const path = relative(root, name);
      return tests.length === 0 ? [path] : tests.map(({ fullName }) => `${path}: ${fullName}`);
    });
}

/** Runs a suite of Playwright under the same rules: its settings repeat what fails once. */
export async function runPlaywright(config, { environment = {}, part = '' } = {}) {
  mkdirSync(results, { recursive: true });
  const name = [config, part].filter(Boolean);
  const file = join(results, `playwright-${name.join('-').replace(/\W+/g, '-')}.json`);
  rmSync(file, { force: true });
  const { status } = await run(tool('playwright'), ['test', `--config=${config}`, '--reporter=list,json'], {
    environment: { ...toolEnvironment(), ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
  });
  const found = readResults(file);
  for (const test of flakySpecs(found?.suites ?? [])) say(`flaky: ${test}`);
  return count(
    found && {
      passed: found.stats.expected + found.stats.flaky,
      failed: found.stats.unexpected,
      skipped: found.stats.skipped,
    },
    status,
    name.join(', '),
  );
}

function flakySpecs(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs
      .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
      .map(({ file, title }) => `${file}: ${title}`),
    ...flakySpecs(inner),
  ]);
}

/** What a runner wrote; undefined where it ended before. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function count(counts, status, name) {
  if (!counts) {
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
