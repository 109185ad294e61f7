import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { nodeProgram, root, run, say, tool, toolEnvironment } from './process.mjs';
import { isTestGroup, writeTestGroups } from './test-groups.mjs';

const results = join(root, '.cache', 'results');

/** More failed files than this are a broken change, not an unlucky test: they are not repeated. */
const MOST_REPEATED = 5;

/**
 * Runs suites of Jest. A suite without a test, or with one that was skipped, has failed: it proves nothing that it
 * claims. Specs with failures run once more, by themselves: what passes then is reported as flaky, by name.
 * @param part of the suite, where parts of it run side by side.
 */
export async function runJest(projects, extra = [], { environment = {}, part = '' } = {}) {
  mkdirSync(results, { recursive: true });
  writeTestGroups(projects);
  const name = [...projects, part].filter(Boolean);
  const once = async (file, options, grouped) => {
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
      { environment: { ...toolEnvironment(), ...environment, APP_TEST_GROUPED: grouped ? '1' : '' } },
    );
    return { status, tests: readTests(file) };
  };
  const first = await once(join(results, `jest-${name.join('-')}.json`), extra, true);
  sayTheSlowest(name.join(', '), first.tests ?? []);
  const failed = (first.tests ?? []).filter(({ status }) => status === 'failed');
  const files = [...new Set(failed.map(({ file }) => file))];
  if (files.length === 0 || files.length > MOST_REPEATED || files.some(isTestGroup)) {
    for (const test of failed) sayFailed(test);
    return count(first.tests && countsOf(first.tests), first.status, name.join(', '));
  }
  say(`${name.join(', ')}: running ${files.length} failed files again`);
  const again = await once(
    join(results, `jest-${name.join('-')}-again.json`),
    // What a failed test left open would keep the process running.
    ['--runInBand', '--forceExit', '--runTestsByPath', ...files],
    false,
  );
  if (!again.tests) {
    for (const test of failed) sayFailed(test);
    return count(countsOf(first.tests), first.status, name.join(', '));
  }
  const failedAgain = again.tests.filter(({ status }) => status === 'failed');
  const stillFailed = new Set(failedAgain.map(({ title }) => title));
  for (const { title } of failed) if (!stillFailed.has(title)) say(`flaky: ${title}`);
  for (const test of failedAgain) sayFailed(test);
  const others = first.tests.filter(({ file }) => !files.includes(file));
  return count(countsOf([...others, ...again.tests]), again.status, name.join(', '));
}

/**
 * What ran: each test with its file, state and duration. A file that could not be run counts as a failed test: a group,
 * if one of its specs has an error outside its tests.
 */
function readTests(file) {
  return readResults(file)?.testResults.flatMap(({ name, status, assertionResults }) =>
    status === 'failed' && assertionResults.length === 0
      ? [{ file: relative(root, name), title: relative(root, name), status, duration: 0, message: '' }]
      : assertionResults.map((test) => toTest(relative(root, name), test)),
  );
}

/** In a group, the outermost title of a test is the path of its spec. */
function toTest(path, { ancestorTitles, title, status, duration, failureMessages }) {
  const [outermost = '', ...inner] = ancestorTitles;
  const isGrouped = outermost.endsWith('.spec.ts');
  const file = isGrouped ? outermost : path;
  const titles = [...(isGrouped ? inner : ancestorTitles), title];
  const message = failureMessages?.[0] ?? '';
  return { file, title: `${file}: ${titles.join(' ')}`, status, duration: duration ?? 0, message };
}

/** On one line, so that the closing lines of the gate can repeat it. */
function sayFailed({ title, message = '' }) {
  say(`failed: ${title}: ${stripVTControlCharacters(message).replace(/\s+/g, ' ').slice(0, 600)}`);
}

function countsOf(tests) {
  const of = (...states) => tests.filter(({ status }) => states.includes(status)).length;
  return {
    passed: of('passed'),
    failed: of('failed'),
    skipped: of('pending', 'todo', 'skipped', 'disabled'),
  };
}

function sayTheSlowest(name, tests) {
  const slowest = [...tests].sort((one, other) => other.duration - one.duration).slice(0, 10);
  say(`${name}: the ten slowest tests`);
  for (const { duration, title } of slowest) say(`  ${(duration / 1000).toFixed(1)} s  ${title}`);
}

/**
 * Runs a suite of Playwright under the same rules: its settings repeat what fails once.
 * @param project of its configuration; by default all.
 */
export async function runPlaywright(config, { environment = {}, part = '', project, extra = [] } = {}) {
  mkdirSync(results, { recursive: true });
  const name = [config, part, project].filter(Boolean);
  const file = join(results, `playwright-${name.join('-').replace(/\W+/g, '-')}.json`);
  rmSync(file, { force: true });
  const { status } = await run(
    tool('playwright'),
    [
      'test',
      `--config=${config}`,
      '--reporter=list,json',
      ...(project ? [`--project=${project}`] : []),
      ...extra,
    ],
    { environment: { ...toolEnvironment(), ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: file } },
  );
  const found = readResults(file);
  const specs = specsOf(found?.suites ?? []);
  sayTheSlowest(name.join(', '), specs);
  for (const { title, isFlaky } of specs) if (isFlaky) say(`flaky: ${title}`);
  for (const test of specs.filter(({ hasFailed }) => hasFailed)) sayFailed(test);
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

function specsOf(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.map(({ file, title, tests }) => ({
      title: `${file}: ${title}`,
      isFlaky: tests.some(({ status }) => status === 'flaky'),
      hasFailed: tests.some(({ status }) => status === 'unexpected'),
      message: tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')).find(Boolean),
      duration: Math.max(0, ...tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
    })),
    ...specsOf(inner),
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
