import { root, run, say } from './process.mjs';

/** Without waiting for a registry that serves neither, such as a mirror. */
const QUICK = ['--fetch-retries=0', '--fetch-timeout=30000'];
const UNANSWERED =
  /ENOAUDIT|audit endpoint returned an error|ECONNREFUSED|ENOTFOUND|ETIMEDOUT|E40[45]|network/;

// Known vulnerabilities (high and above) and the signatures of all packages. What is not checked is said.
for (const [what, args] of [
  ['known vulnerabilities', ['audit', '--audit-level=high']],
  ['signatures', ['audit', 'signatures']],
]) {
  const { status, output } = await run('npm', [...args, ...QUICK, `--prefix=${root}`], { quiet: true });
  if (status === 0) say(`${what}: none is a problem`);
  else if (UNANSWERED.test(output)) say(`skipped ${what}: the registry does not answer`);
  else {
    process.stderr.write(output);
    process.exitCode = 1;
  }
}
