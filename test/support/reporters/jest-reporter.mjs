import { relative } from 'node:path';
import { report } from './report.mjs';

export default class JestReporter {
  onRunComplete(_contexts, { testResults }) {
    report(testResults.flatMap(testsOf));
  }
}

function testsOf({ testFilePath, testExecError, failureMessage, testResults }) {
  const file = relative(process.cwd(), testFilePath);
  const tests = testResults.map(({ fullName, status, retryReasons, failureMessages }) => ({
    title: `${file}: ${fullName}`,
    state: stateOf(status, retryReasons),
    message: failureMessages[0],
  }));
  // An error outside of the tests, such as one in an import.
  return testExecError ? [...tests, { title: file, state: 'failed', message: failureMessage }] : tests;
}

function stateOf(status, retryReasons) {
  if (status === 'passed') return retryReasons?.length > 0 ? 'flaky' : 'passed';
  return status === 'failed' ? 'failed' : 'skipped';
}
