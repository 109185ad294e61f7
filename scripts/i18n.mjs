import { fail, run } from './process.mjs';

/** Extracts the messages of an application into `.cache/i18n`. Fails on a warning, such as one id with two texts. */
export async function extractMessages(application) {
  const { status, output } = await run('ng', ['extract-i18n', application], {
    environment: { NG_BUILD_TYPE_CHECK: '0' },
    quiet: true,
  });
  if (status === 0 && !/\bWARNINGS?\b/.test(output)) return;
  process.stderr.write(output);
  fail(`Could not extract the messages of the ${application} without a warning.`);
}
