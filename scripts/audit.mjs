import { root, run, say } from './process.mjs';

/** Without waiting for a registry that serves neither, such as a mirror. */
const QUICK = ['--loglevel=error', '--fetch-retries=0', '--fetch-timeout=30000'];
// Only npm's own messages: the report of a vulnerability may contain any word.
const UNREACHABLE =
  /^npm (?:error|warn) .*(?:endpoint returned an error|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|network)/m;

// Known vulnerabilities (high and above) and the signatures of all packages. Skipped checks are reported.
for (const [subject, args] of [
  ['known vulnerabilities', ['audit', '--audit-level=high']],
  ['signatures', ['audit', 'signatures']],
]) {
  const { status, output } = await run('npm', [...args, ...QUICK, `--prefix=${root}`], { quiet: true });
  if (status === 0) say(`${subject}: none is a problem`);
  else if (UNREACHABLE.test(output)) say(`skipped ${subject}: the registry does not respond`);
  else {
    process.stderr.write(output);
    process.exitCode = 1;
  }
}
