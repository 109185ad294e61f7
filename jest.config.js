import { availableParallelism } from 'node:os';
import presets from 'jest-preset-angular/presets/index.js';

/** Suites of `npm test` that need no browser. Each is also a script of its own. */
const swc = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** Node, native modules, TypeScript compiled per file: types are checked by `npm run typecheck`. */
const node = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  setupFiles: ['<rootDir>/test/support/reflect-metadata.ts'],
};

const angular = presets.createEsmPreset({ tsconfig: '<rootDir>/frontend/tsconfig.spec.json' });

/** As the suites run: specs in groups (scripts/test-groups.mjs). A single file runs without. */
const isGrouped = process.env.APP_TEST_GROUPED === '1';

function inGroups(project) {
  if (!isGrouped) return project;
  const [[pattern, [transformer, options]]] = Object.entries(project.transform);
  return {
    ...project,
    testMatch: [
      `<rootDir>/.cache/test-groups/${project.displayName}-*.spec.ts`,
      ...project.testMatch.map((specs) => specs.replace(/\.spec\.ts$/, '.isolated.spec.ts')),
    ],
    transform: { [pattern]: ['<rootDir>/test/support/jest/grouping.mjs', { transformer, options }] },
  };
}

export default {
  // By default, Jest leaves one core unused, which is half of a machine with two.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // Tests wait for servers and conditions with deadlines of their own, which say what was awaited; Jest's own
  // would come first and say nothing, even one of a minute where several of them follow each other.
  testTimeout: 120_000,
  projects: [
    inGroups({ ...node, displayName: 'unit', testMatch: ['<rootDir>/backend/src/**/*.spec.ts'] }),
    { ...node, displayName: 'contract', testMatch: ['<rootDir>/test/contract/**/*.spec.ts'] },
    inGroups({ ...node, displayName: 'api', testMatch: ['<rootDir>/test/api/**/*.spec.ts'] }),
    {
      ...node,
      displayName: 'faults',
      testMatch: ['<rootDir>/test/faults/**/*.spec.ts'],
    },
    { ...node, displayName: 'cli', testMatch: ['<rootDir>/test/cli/**/*.spec.ts'] },
    { ...node, displayName: 'architecture', testMatch: ['<rootDir>/test/architecture/**/*.spec.ts'] },
    { ...node, displayName: 'package', testMatch: ['<rootDir>/test/package/**/*.spec.ts'] },
    { ...node, displayName: 'real', testMatch: ['<rootDir>/test/real/**/*.spec.ts'] },
    inGroups({
      ...angular,
      displayName: 'frontend',
      testMatch: ['<rootDir>/frontend/src/**/*.spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/frontend/jest-setup.ts'],
      moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1', tslib: 'tslib/tslib.es6.js' },
    }),
  ],
};
