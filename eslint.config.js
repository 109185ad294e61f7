import angular from 'angular-eslint';
import jest from 'eslint-plugin-jest';
import tseslint from 'typescript-eslint';
import { ensureApiTypes } from './scripts/api-types.mjs';
import foreign from './scripts/eslint/foreign.mjs';

const shared = {
  eqeqeq: 'error',
  curly: ['error', 'multi-line'],
  'no-console': 'error',
  'no-restricted-globals': 'off',
  'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/explicit-function-return-type': ['error', { allowExpressions: true }],
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-non-null-assertion': 'error',
  '@typescript-eslint/prefer-readonly': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
  // An empty class is a module of Nest.
  '@typescript-eslint/no-extraneous-class': 'off',
  // The classes of requests and responses are shapes of JSON, without methods to lose.
  '@typescript-eslint/no-misused-spread': 'off',
  // Numbers in sentences are the point of most templates here.
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
};

/** The environment has one door, core/config; this closes the other way to it. */
const processModule = {
  name: 'node:process',
  message: 'Read the environment through core/config; everything else is on the global `process`.',
};

/** The library alone takes minutes for 2 kB that nest, and quadratic time for keys; core/yaml does not. */
const yamlPackage = { name: 'yaml', message: 'Use core/yaml.' };

const DYNAMIC_REGEX = ['NewExpression', 'CallExpression'].map((type) => ({
  selector: `${type}[callee.name="RegExp"]:not([arguments.0.type="Literal"])`,
  message:
    'A regex from outside can take exponential time: use RegexQueue. For one of constants or escaped text, disable this rule with the reason.',
}));

/** Codes are compared or looked up; commands, in `text`, and keys such as `Ctrl S` are the same in each language. */
const UNMARKED_TEXT = [
  'BoundText LiteralPrimitive[value=/[a-z]/i]',
  'BoundAttribute:not([name="text"]) LiteralPrimitive[value=/^[A-Z][a-z]+$|[a-z]{2} [a-z]{2}/]',
].map((selector) => ({
  selector: `${selector}:not(Binary[operation=/^[!=]==$/] > *, Call > *, KeyedRead *)`,
  message: 'Write the text as a message: i18n with an ICU select, or $localize in the component.',
}));

// Rules with types need them.
await ensureApiTypes();

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.angular/', '.cache/', 'coverage/', 'test/fixtures/layers/'] },
  {
    files: ['backend/**/*.ts', 'test/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...shared,
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Nest needs the classes of constructor parameters at run time.
      '@typescript-eslint/parameter-properties': 'off',
      '@typescript-eslint/require-await': 'off',
      // DTO classes describe shapes; services fill them with plain objects, and the serializer makes the instance.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // The type of a row is the caller's knowledge.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.contract.ts'],
    ignores: ['test/**/browser/**'],
    plugins: { jest },
    rules: {
      'jest/no-focused-tests': 'error',
      'jest/no-identical-title': 'error',
      'jest/valid-title': ['error', { ignoreTypeOfDescribeName: true, ignoreTypeOfTestName: true }],
    },
  },
  {
    files: ['backend/src/**/*.ts'],
    rules: {
      // The environment has one door: core/config.
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read it through core/config.' },
      ],
      'no-restricted-imports': [
        'error',
        { paths: [processModule, { ...processModule, name: 'process' }, yamlPackage] },
      ],
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'Only drivers/registry calls other servers.' },
      ],
    },
  },
  {
    files: ['backend/src/**/*.ts', 'frontend/src/**/*.ts', 'scripts/**/*.mjs'],
    ignores: ['**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...DYNAMIC_REGEX] },
  },
  {
    files: ['backend/src/modules/**/*.ts'],
    ignores: ['**/*.store.ts', '**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [processModule, { ...processModule, name: 'process' }, yamlPackage],
          patterns: [
            {
              group: ['**/core/storage/*'],
              importNames: ['Database'],
              message: 'SQL belongs in the module’s own *.store.ts.',
            },
          ],
        },
      ],
    },
  },
  {
    // Specs hold the product against the library itself.
    files: ['backend/src/core/yaml/*.ts', 'backend/src/**/*.spec.ts'],
    rules: {
      'no-restricted-imports': ['error', { paths: [processModule, { ...processModule, name: 'process' }] }],
    },
  },
  {
    files: ['backend/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    plugins: { foreign },
    rules: {
      // One place decides how numbers are read, how long a text may be, and that an error does not quote it.
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.object.name="JSON"][callee.property.name="parse"], CallExpression[callee.property.name="json"][arguments.length=0]',
          message: 'Use parseJson or jsonValue of core/parsing; parseOwnJson for data of Slipway itself.',
        },
        ...DYNAMIC_REGEX,
      ],
    },
  },
  {
    files: ['backend/src/drivers/**/*.ts', 'backend/src/modules/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*-thread.ts'],
    plugins: { foreign },
    rules: { 'foreign/no-foreign-cast': 'error', 'foreign/guarded-callbacks': 'error' },
  },
  {
    // They have no responses of others: the demo's objects, threads and blocks of Slipway, files that it wrote, and input
    // of the user, which decorators and schemas have validated.
    files: [
      'backend/src/drivers/demo/**/*.ts',
      'backend/src/drivers/log-store/embedded/**/*.ts',
      'backend/src/modules/{auth,kind-config,kubeconfig}/**/*.ts',
      'backend/src/modules/addons/catalog/*.ts',
      'backend/src/modules/clusters/{creation,inventory}/*.ts',
      'backend/src/modules/shells/shells.gateway.ts',
      'backend/src/modules/files/container-files.ts',
    ],
    rules: { 'foreign/no-foreign-cast': 'off' },
  },
  { files: ['backend/src/core/parsing/json.ts'], rules: { 'no-restricted-syntax': 'off' } },
  { files: ['backend/src/core/config/environment.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['frontend/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...angular.configs.tsRecommended],
    processor: angular.processInlineTemplates,
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...shared,
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // DTO classes are shapes here: responses of the API are plain objects.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@angular-eslint/use-lifecycle-interface': 'error',
      '@angular-eslint/component-selector': [
        'error',
        [
          { type: 'element', prefix: 'sw', style: 'kebab-case' },
          { type: 'attribute', prefix: 'sw', style: 'camelCase' },
        ],
      ],
      '@angular-eslint/directive-selector': [
        'error',
        { type: 'attribute', prefix: 'sw', style: 'camelCase' },
      ],
    },
  },
  {
    files: ['frontend/**/*.html'],
    extends: [...angular.configs.templateRecommended, ...angular.configs.templateAccessibility],
    rules: {
      // The `label` of a button with `swIconButton` is its accessible name.
      '@angular-eslint/template/elements-content': ['error', { allowList: ['label'] }],
      'no-restricted-syntax': ['error', ...UNMARKED_TEXT],
    },
  },
  {
    // Its selector is every button without a type.
    files: ['frontend/src/shared/ui/plain-button.ts'],
    rules: { '@angular-eslint/directive-selector': 'off' },
  },
  {
    files: ['scripts/**/*.mjs', 'test/**/*.mjs', '*.js', '*.mjs', '*.cjs'],
    languageOptions: { ecmaVersion: 2024, sourceType: 'module' },
    rules: { eqeqeq: 'error' },
  },
);
