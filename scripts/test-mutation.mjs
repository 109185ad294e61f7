import { Stryker } from '@stryker-mutator/core';
import { basename, join } from 'node:path';
import { root, say } from './process.mjs';

/**
 * The mutation score of twelve files, three each of four modules, to compare one release with the next. Not part of
 * `npm test`: it takes half an hour. Each spec has a run of its own, with the files that it tests: Stryker loads all
 * specs of a run for each mutant, which takes ten times as long. `.cache/mutation` names the mutants that survived.
 */
const RUNS = [
  ['clusters/clone/port-moves'],
  ['clusters/inventory/node-order'],
  ['clusters/lifecycle/state-review'],
  ['jobs/job-log'],
  ['jobs/jobs.service', 'jobs/job-execution'],
  ['kubeconfig/user-kubeconfig'],
  ['kubeconfig/user-kubeconfig-document'],
  ['kubeconfig/user-kubeconfig-file'],
  ['addons/release/object-health'],
  ['addons/release/split-manifest'],
  ['addons/values/kiali-values'],
].map((names) => names.map((name) => `backend/src/modules/${name}`));

/** @return the mutants of the files, with what the spec of the first one found. */
async function mutate(files) {
  const spec = `${files[0]}.spec.ts`;
  return new Stryker({
    mutate: files.map((file) => `${file}.ts`),
    testRunner: 'jest',
    testRunnerNodeArgs: ['--experimental-vm-modules'],
    jest: {
      configFile: 'test/mutation/jest.config.js',
      config: { testMatch: [`<rootDir>/${spec}`] },
      enableFindRelatedTests: false,
    },
    coverageAnalysis: 'perTest',
    concurrency: 2,
    ignorePatterns: ['/.cache', '/dist', '/docs', '/frontend', '/test/real', '/test/browser', '/test/bench'],
    reporters: ['json'],
    jsonReporter: { fileName: `.cache/mutation/${basename(files[0])}.json` },
    tempDirName: '.cache/mutation/sandbox',
  }).runMutationTest();
}

/** Stryker's definition of the score. Mutants that do not compile do not count. */
function score(mutants) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const found = count('Killed', 'Timeout');
  const all = found + count('Survived', 'NoCoverage');
  return `${((100 * found) / all).toFixed(1)} % (${found} of ${all} mutants found)`;
}

process.chdir(root);
const all = [];
for (const files of RUNS) {
  const mutants = await mutate(files);
  for (const file of files) {
    const ofFile = mutants.filter(({ fileName }) => fileName === join(root, `${file}.ts`));
    say(`${file}: ${score(ofFile)}`);
  }
  all.push(...mutants);
}
say(`all: ${score(all)}`);
