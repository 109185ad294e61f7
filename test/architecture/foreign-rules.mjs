import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import foreign from '../../scripts/eslint/foreign.mjs';

/** Lints the code on the standard input, as if it were a driver. Prints `line rule` for each finding. */
let code = '';
for await (const chunk of process.stdin) code += chunk;
const messages = new Linter({ configType: 'flat' }).verify(
  code,
  {
    files: ['**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        projectService: { allowDefaultProject: ['*.ts'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { foreign },
    rules: { 'foreign/no-foreign-cast': 'error' },
  },
  { filename: `${import.meta.dirname}/driver.ts` },
);
for (const { line, ruleId, message } of messages) console.log(`${line} ${ruleId ?? message}`);
