import { relative } from 'node:path';
import { report } from './report.mjs';

export default class JestReporter {
  onRunComplete(_contexts, { testResults }) {
    report(testResults.flatMap(testsOf));
  }
}

function testsOf({ testFilePath, testExecError, failureMessage, testResults }) {
  const file = relative(process.cwd(), testFilePath);
  const tests = testResults.map(({ fullName, status, failureMessages }) => ({
    file,
    title: fullName,
    state: status === 'passed' || status === 'failed' ? status : 'skipped',
    message: failureMessages[0],
  }));
  // An error outside of the tests, such as one in an import.
  const error = { file, title: 'outside of the tests', state: 'failed', message: failureMessage };
  return testExecError ? [...tests, error] : tests;
}
