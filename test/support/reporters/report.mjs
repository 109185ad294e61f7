import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * Names flaky and failed tests on one line each, so that the gate can repeat them at its end, and writes the counts to
 * the file in APP_TEST_COUNTS, also those of each file with a failed test. A skipped test counts as failed, since it
 * verifies nothing. With APP_TEST_REPEATS, these files run once more, and until then their failed tests are flaky.
 * @param tests `{ file, title, state, message }`, with the state `passed`, `failed`, `flaky` or `skipped`.
 */
export function report(tests) {
  const verdict = process.env.APP_TEST_REPEATS ? 'flaky' : 'failed';
  const failedFiles = new Set();
  for (const { file, title, state, message = '' } of tests) {
    if (state === 'passed') continue;
    if (state !== 'flaky') failedFiles.add(file);
    const reason =
      state === 'failed' ? stripVTControlCharacters(message).replace(/\s+/g, ' ').slice(0, 600) : state;
    process.stderr.write(`slipway: ${state === 'flaky' ? state : verdict}: ${file}: ${title}: ${reason}\n`);
  }
  const counts = {
    ...countsOf(tests),
    failedFiles: [...failedFiles].map((file) => ({
      file,
      ...countsOf(tests.filter((test) => test.file === file)),
    })),
  };
  writeFileSync(process.env.APP_TEST_COUNTS, JSON.stringify(counts));
}

function countsOf(tests) {
  const passed = tests.filter(({ state }) => state === 'passed' || state === 'flaky').length;
  return { passed, failed: tests.length - passed };
}
