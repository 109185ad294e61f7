/**
 * `npm run test:mutation`: the mutation score of twelve files, three each of four modules, to compare one release
 * with the next. Not part of `npm test`: a run takes up to an hour.
 */
const files = [
  'clusters/clone/port-moves',
  'clusters/inventory/node-order',
  'clusters/lifecycle/state-review',
  'jobs/job-execution',
  'jobs/job-log',
  'jobs/jobs.service',
  'kubeconfig/user-kubeconfig',
  'kubeconfig/user-kubeconfig-document',
  'kubeconfig/user-kubeconfig-file',
  'addons/release/object-health',
  'addons/release/split-manifest',
  'addons/values/kiali-values',
].map((file) => `backend/src/modules/${file}`);

export default {
  mutate: files.map((file) => `${file}.ts`),
  // The spec of jobs.service tests job-execution as well.
  testFiles: files.filter((file) => !file.endsWith('job-execution')).map((file) => `${file}.spec.ts`),
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules'],
  // Only the specs named above: those that import a mutated file from elsewhere would link Nest for each mutant.
  jest: { configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  ignorePatterns: ['/.cache', '/dist', '/docs', '/frontend', '/test/real', '/test/browser', '/test/bench'],
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: '.cache/mutation/report.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportMutants: false },
  tempDirName: '.cache/mutation/sandbox',
};
