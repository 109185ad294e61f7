import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * Names flaky and failed tests on one line each, so that the gate can repeat them at its end, and writes the counts to
 * the file in APP_TEST_COUNTS. A skipped test has failed: it proves nothing that it claims.
 * @param tests `{ title, state, message }`, with the state `passed`, `failed`, `flaky` or `skipped`.
 */
export function report(tests) {
  let failed = 0;
  for (const { title, state, message = '' } of tests) {
    if (state === 'flaky') process.stderr.write(`slipway: flaky: ${title}\n`);
    else if (state !== 'passed') {
      failed += 1;
      const reason =
        state === 'skipped' ? state : stripVTControlCharacters(message).replace(/\s+/g, ' ').slice(0, 600);
      process.stderr.write(`slipway: failed: ${title}: ${reason}\n`);
    }
  }
  writeFileSync(process.env.APP_TEST_COUNTS, JSON.stringify({ passed: tests.length - failed, failed }));
}
