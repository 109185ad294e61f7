import { availableParallelism } from 'node:os';
import presets from 'jest-preset-angular/presets/index.js';

/**
 * Jest runs CommonJS, for which Node needs no flag, so that `npx jest <file>` runs a spec. swc compiles our sources with the
 * settings that `nest build` uses too; types are checked by `npm run typecheck`.
 */
const swc = '@swc/jest';

/** Packages that exist only as ES modules, by the beginnings of their names. */
// cspell:ignore scure strtok
const ESM_PACKAGES = [
  '@borewit/',
  '@nestjs/',
  '@noble/',
  '@scure/',
  '@tokenizer/',
  'age-encryption/',
  'agent-base/',
  'commander/',
  'file-type/',
  'https-proxy-agent/',
  'proxy-agent-negotiate/',
  'socks-proxy-agent/',
  'strtok3/',
  'token-types/',
  'uint8array-extras/',
];

const node = {
  testEnvironment: 'node',
  resolver: '<rootDir>/test/support/jest/resolver.cjs',
  transform: { '^.+\\.[jt]s$': swc },
  transformIgnorePatterns: [`/node_modules/(?!${ESM_PACKAGES.join('|')})`],
  setupFiles: ['<rootDir>/test/support/reflect-metadata.ts'],
};

const angular = presets.createCjsPreset({ tsconfig: '<rootDir>/frontend/tsconfig.spec.json' });

function project(displayName, folder, options = {}) {
  return { ...node, displayName, testMatch: [`<rootDir>/${folder}/**/*.spec.ts`], ...options };
}

/** For suites that start the product: its modules come from `nest build`. */
const built = { moduleNameMapper: { '^.*/backend/src/(.*)$': '<rootDir>/dist/backend/src/$1' } };

export default {
  // By default, Jest leaves one core unused, which is half of a machine with two.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // Tests wait for servers and conditions with deadlines of their own, which say what was awaited; Jest's own
  // would come first and say nothing, even one of a minute where several of them follow each other.
  testTimeout: 120_000,
  projects: [
    project('unit', 'backend/src'),
    ...['api', 'cli', 'faults'].map((name) => project(name, `test/${name}`, built)),
    ...['architecture', 'contract', 'fuzz', 'package'].map((name) => project(name, `test/${name}`)),
    project('real', 'test/real'),
    {
      ...angular,
      displayName: 'frontend',
      resolver: node.resolver,
      testMatch: ['<rootDir>/frontend/src/**/*.spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/frontend/jest-setup.ts'],
      transformIgnorePatterns: ['/node_modules/(?!marked/|.*\\.mjs$)'],
      // TypeScript does not compile import.meta to CommonJS.
      transform: { '/regex-search\\.ts$': swc, ...angular.transform },
    },
  ],
};
