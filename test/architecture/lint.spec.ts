import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type * as eslintPackage from 'eslint';
import type * as tseslint from 'typescript-eslint';
import { readProject } from '../../backend/src/core/config/project.js';
import { importTool } from '../support/import-tool.js';

/** Files whose text is replaced for the test. */
const SERVICE = 'backend/src/modules/health/health.service.ts';
const STORE = 'backend/src/modules/jobs/job.store.ts';
const TEMPLATE = 'frontend/src/dashboard/create/create-dialog.html';
const ENVIRONMENT = 'backend/src/core/config/environment.ts';

describe('the lint rules', () => {
  let eslint: eslintPackage.ESLint;

  beforeAll(async () => {
    const { ESLint } = await importTool<typeof eslintPackage>('eslint');
    const { configs } = await importTool<typeof tseslint>('typescript-eslint');
    // Rules that need types are not tested here, and would read the whole project first.
    eslint = new ESLint({ cwd: readProject().root, overrideConfig: configs.disableTypeChecked });
  });

  async function rulesBrokenBy(text: string, file: string): Promise<(string | null)[]> {
    const [result] = await eslint.lintText(text, { filePath: join(readProject().root, file) });
    if (!result) throw new Error(`${file} was not linted`);
    expect(result.messages.filter(({ severity }) => severity !== 2)).toEqual([]);
    return result.messages.map(({ ruleId }) => ruleId);
  }

  it.each([
    ["export const home = process.env['HOME'];\n", 'no-restricted-properties'],
    ['export const { env } = process;\n', 'no-restricted-properties'],
    ["import { env } from 'node:process';\n\nexport const home = env['HOME'];\n", 'no-restricted-imports'],
    ["import process from 'process';\n\nexport const home = process.cwd();\n", 'no-restricted-imports'],
  ])('the environment is read by core/config alone: %j', async (text, rule) => {
    expect(await rulesBrokenBy(text, SERVICE)).toEqual([rule]);
  });

  it('core/config may read the environment', async () => {
    expect(await rulesBrokenBy("export const home = process.env['HOME'];\n", ENVIRONMENT)).toEqual([]);
  });

  it('SQL is written in a module’s own store and nowhere else in it', async () => {
    const text =
      "import { Database } from '../../core/storage/index.js';\n\nexport const open = (path: string): Database => Database.open(path, []);\n";
    expect(await rulesBrokenBy(text, SERVICE)).toEqual(['no-restricted-imports']);
    expect(await rulesBrokenBy(text, STORE)).toEqual([]);
  });

  it('a file has at most 400 lines', async () => {
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, index) => `export const line${index} = ${index};\n`).join('');
    expect(await rulesBrokenBy(lines(400), SERVICE)).toEqual([]);
    expect(await rulesBrokenBy(lines(401), SERVICE)).toEqual(['max-lines']);
  });

  it.each([
    'setTimeout(() => JSON.stringify(1), 1);',
    'setInterval(() => void run(), 1);',
    'setImmediate(run);',
    "stream.on('data', (chunk) => run(chunk));",
  ])('callbacks of timers and streams are guarded: %j', async (text) => {
    const guarded = text.replace(/\((\(.*|run)(\)|, 1\));$/, "(guarded($1, 'run')$2;");
    expect(await rulesBrokenBy(`${text}\n`, SERVICE)).toEqual(['foreign/guarded-callbacks']);
    if (!text.startsWith('stream')) expect(await rulesBrokenBy(`${guarded}\n`, SERVICE)).toEqual([]);
  });

  it('a callback that cannot throw needs no guard', async () => {
    const text =
      'await new Promise((resolve) => setTimeout(resolve, 1));\nsetTimeout(() => timer.abort(), 1);\n';
    expect(await rulesBrokenBy(text, SERVICE)).toEqual([]);
  });

  it('JSON is parsed in one place', async () => {
    expect(await rulesBrokenBy("export const one = JSON.parse('1');\n", SERVICE)).toEqual([
      'no-restricted-syntax',
    ]);
    expect(await rulesBrokenBy('export const one = await response.json();\n', STORE)).toEqual([
      'no-restricted-syntax',
    ]);
  });

  it.each([
    "<p>{{ level() ?? 'none' }}</p>",
    "<p>{{ name() }}{{ rootless() ? ', rootless' : '' }}</p>",
    '<button [title]="shown() ? \'Hide password\' : hint()">x</button>',
  ])('a text of a template is a message: %s', async (text) => {
    expect(await rulesBrokenBy(`${text}\n`, TEMPLATE)).toEqual(['no-restricted-syntax']);
  });

  it.each([
    "<p>{{ levels[level() ?? 'none'] }}{{ level() === 'none' ? '–' : level() }}{{ label('none') }}</p>",
    "<p [class.bad]=\"state() === 'Warning'\" [state]=\"on() ? 'running' : 'paused'\" [title]=\"hint() || 'Ctrl S'\"></p>",
  ])('a template may have codes and keys outside of messages: %s', async (text) => {
    expect(await rulesBrokenBy(`${text}\n`, TEMPLATE)).toEqual([]);
  });

  it('nothing is written to the console', async () => {
    expect(await rulesBrokenBy("console.log('hello');\n", SERVICE)).toEqual(['no-console']);
  });

  it.each([SERVICE, STORE, 'frontend/src/dashboard/main.ts', 'scripts/start.mjs'])(
    'a regex from outside is compiled only where it has a deadline: %s',
    async (file) => {
      const type = file.endsWith('.mjs') ? '' : ': string';
      for (const call of ['new RegExp(text)', "RegExp(text, 'u')", 'new RegExp(`^${text}`)']) {
        const found = await rulesBrokenBy(
          `export const matches = (text${type}) => ${call}.test('');\n`,
          file,
        );
        expect(found).toContain('no-restricted-syntax');
      }
      expect(await rulesBrokenBy("export const matches = new RegExp('^a');\n", file)).toEqual([]);
    },
  );

  it('reports every enabled rule as an error, since warnings are ignored', async () => {
    for (const file of [SERVICE, STORE, 'frontend/src/dashboard/main.ts', 'scripts/start.mjs']) {
      const { rules } = (await eslint.calculateConfigForFile(join(readProject().root, file))) as {
        rules: Record<string, [number]>;
      };
      const warnings = Object.entries(rules).filter(([, [severity]]) => severity === 1);
      expect(warnings).toEqual([]);
    }
  });
});
