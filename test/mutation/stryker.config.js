/**
 * The mutation score of twelve files, three each of four areas, to compare one release with the next. Not part of
 * `npm test`: it takes half an hour. `.cache/mutation/report.json` has the mutants that survived.
 */
export default {
  mutate: [
    'clusters/clone/port-moves',
    'clusters/inventory/node-order',
    'clusters/lifecycle/state-review',
    'jobs/job-log',
    'jobs/jobs.service',
    'jobs/job-execution',
    'kubeconfig/user-kubeconfig',
    'kubeconfig/user-kubeconfig-document',
    'kubeconfig/user-kubeconfig-file',
    'addons/release/split-manifest',
    'addons/values/kiali-values',
  ]
    .map((name) => `backend/src/modules/${name}.ts`)
    .concat('backend/src/drivers/kubernetes/object-health.ts'),
  testRunner: 'jest',
  // Of each mutant, only specs that import its file run.
  jest: { configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  ignorePatterns: ['/.cache', '/dist', '/docs', '/frontend', '/test/real', '/test/browser', '/test/bench'],
  reporters: ['clear-text', 'json'],
  clearTextReporter: { reportMutants: false, reportTests: false },
  jsonReporter: { fileName: '.cache/mutation/report.json' },
  tempDirName: '.cache/mutation/sandbox',
};
