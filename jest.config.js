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

/** Suites that start servers and programs. */
const patient = { setupFilesAfterEnv: ['<rootDir>/test/support/patience.ts'] };

export default {
  projects: [
    { ...node, displayName: 'unit', ...patient, testMatch: ['<rootDir>/backend/src/**/*.spec.ts'] },
    { ...node, displayName: 'contract', ...patient, testMatch: ['<rootDir>/test/contract/**/*.spec.ts'] },
    { ...node, displayName: 'api', ...patient, testMatch: ['<rootDir>/test/api/**/*.spec.ts'] },
    {
      ...node,
      displayName: 'faults',
      ...patient,
      testMatch: ['<rootDir>/test/faults/**/*.spec.ts'],
    },
    { ...node, displayName: 'house', testMatch: ['<rootDir>/test/house/**/*.spec.ts'] },
    { ...node, displayName: 'real', testMatch: ['<rootDir>/test/real/**/*.spec.ts'] },
    {
      ...presets.createEsmPreset({ tsconfig: '<rootDir>/frontend/tsconfig.spec.json' }),
      displayName: 'frontend',
      testMatch: ['<rootDir>/frontend/src/**/*.spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/frontend/jest-setup.ts'],
      moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1', tslib: 'tslib/tslib.es6.js' },
    },
  ],
};
