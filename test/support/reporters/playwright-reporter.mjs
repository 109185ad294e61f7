import { relative } from 'node:path';
import { report } from './report.mjs';

const STATES = { expected: 'passed', unexpected: 'failed', flaky: 'flaky', skipped: 'skipped' };

export default class PlaywrightReporter {
  onBegin(_config, suite) {
    this.suite = suite;
  }

  onEnd() {
    report(
      (this.suite?.allTests() ?? []).map((test) => ({
        file: relative(process.cwd(), test.location.file),
        title: test.title,
        state: STATES[test.outcome()],
        message: test.results.find(({ error }) => error)?.error.message,
      })),
    );
  }
}
