import { describe } from '@jest/globals';
import { LocalProcessRunner } from '../../backend/src/drivers/process/local-process-runner.js';
import { processRunnerContract } from './ports/process-runner.contract.js';

describe('LocalProcessRunner', () => {
  processRunnerContract((configuration) => new LocalProcessRunner(configuration));
});
