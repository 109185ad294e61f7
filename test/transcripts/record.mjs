// Records the transcripts again, from the engines that APP_TEST_ENGINES names:
//   node test/transcripts/record.mjs
import { nodeProgram, root, run, toolEnvironment } from '../../scripts/process.mjs';
import { join } from 'node:path';

const { status } = await run(
  nodeProgram(),
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--selectProjects',
    'real',
    '--testPathPatterns',
    'test/real/transcripts',
  ],
  { environment: { ...toolEnvironment(), APP_TEST_RECORD: '1' } },
);
process.exitCode = status;
