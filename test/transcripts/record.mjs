// Records the transcripts again, from the engines that APP_TEST_ENGINES names:
//   npx node test/transcripts/record.mjs
import { run } from '../../scripts/process.mjs';

const { status } = await run('jest', ['--selectProjects', 'real', '--testPathPatterns', 'test/real/transcripts'], {
  environment: { APP_TEST_RECORD: '1' },
});
process.exitCode = status;
