import { jest } from '@jest/globals';

// In suites, a file with a failed test runs once more; what passes then is reported as flaky.
if (process.env['APP_TEST_COUNTS'] !== undefined) {
  jest.retryTimes(1, { entireDescribe: true, logErrorsBeforeRetry: true });
}
