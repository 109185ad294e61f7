import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readProject } from '../../backend/src/core/config/project.js';
import { driversInjectedBy, moduleClassOf } from './module-classes.js';
import { sourceFiles, textOf } from './source-tree.js';
import { CARD } from './owners-card.js';
import { SPECIFICATION } from './specification.js';
import { testTitles, type TestTitle } from './test-titles.js';

const { root } = readProject();
const SUITES = /^(?:test\/(?:api|browser|real|faults)|backend\/src)\/.+\.ts$/;

const read = new Map<string, TestTitle[]>();

/** The problem of a test in the table; undefined if it exists and runs. */
function problemOf(file: string, title: string): string | undefined {
  if (!SUITES.test(file) || !existsSync(join(root, file))) return `${file} is no spec`;
  let titles = read.get(file);
  if (!titles) read.set(file, (titles = testTitles(textOf(file))));
  const found = titles.filter((each) => each.title === title);
  if (found.length === 0) return `${file} has no test "${title}"`;
  return found.some(({ skipped }) => skipped) ? `"${title}" in ${file} is skipped` : undefined;
}

const sections = Object.entries(SPECIFICATION);

describe('the specification', () => {
  it.each(sections)('has a test that exists and runs for each row of %s', (_section, rows) => {
    expect(rows.length).toBeGreaterThan(0);
    const problems = rows.flatMap(({ row, tests }) =>
      tests.length === 0
        ? [`${row}: no test`]
        : tests.flatMap(([file, title]) => {
            const problem = problemOf(file, title);
            return problem === undefined ? [] : [`${row}: ${problem}`];
          }),
    );
    expect(problems).toEqual([]);
  });

  it('lists each row once', () => {
    const rows = sections.flatMap(([section, each]) => each.map(({ row }) => `${section}: ${row}`));
    expect(rows).toHaveLength(115);
    expect(new Set(rows).size).toBe(rows.length);
  });
});

describe('the card of the owner', () => {
  it('names packages of the workspaces', () => {
    const workspaces = [
      'package.json',
      'backend/package.json',
      'frontend/package.json',
      'scripts/package.json',
    ];
    const installed = workspaces.flatMap((file) => {
      const parts = JSON.parse(textOf(file)) as Record<string, object | undefined>;
      return Object.keys({ ...parts['dependencies'], ...parts['devDependencies'] });
    });
    expect(CARD.packages.filter((name) => !installed.includes(name))).toEqual([]);
  });

  it('names files and folders at the top level', () => {
    expect(CARD.topLevel.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  it.each(CARD.modules)('names $name, which wraps its drivers', ({ name, folder, wraps }) => {
    const file = `backend/src/modules/${folder}/${folder}.module.ts`;
    expect(moduleClassOf(file).name).toBe(name);
    for (const { driver, token = driver } of wraps) {
      const [source] = driversInjectedBy(file, token);
      expect([token, source]).toEqual([token, expect.stringContaining('/drivers/')]);
      if (token !== driver) {
        expect(textOfDriver(token)).toMatch(new RegExp(`class ${token} .*\\b${driver}\\b`, 's'));
      }
    }
  });

  it('names LogBoardAuthModule, which guards the log board with its own routes and policy', () => {
    const file = 'backend/src/modules/log-board-auth/log-board-auth.module.ts';
    const { name, controllers, providers } = moduleClassOf(file);
    expect(name).toBe('LogBoardAuthModule');
    expect(controllers).toContain('AuthController');
    expect(providers).toEqual(expect.arrayContaining(['AccessPolicy', 'NoExemption']));
    const importsOf = (app: string): string[] =>
      moduleClassOf(`backend/src/apps/${app}/${app}.module.ts`).imports;
    expect(importsOf('log-board')).toContain('LogBoardAuthModule');
    expect(importsOf('dashboard')).not.toContain('LogBoardAuthModule');
  });

  it('validates DTOs by class-validator, and JWTs by a guard of passport-jwt', () => {
    expect(
      sourceFiles('backend/src/modules', /\.dto\.ts$/)
        .map(textOf)
        .join(''),
    ).toMatch(/from 'class-validator'/);
    expect(textOf('backend/src/modules/auth/jwt.strategy.ts')).toMatch(/PassportStrategy\(Strategy\)/);
    expect(textOf('backend/src/modules/auth/jwt-auth.guard.ts')).toMatch(/extends AuthGuard\(\)/);
  });
});

describe('testTitles', () => {
  it.each([
    ["it.skip('a', work)"],
    ["test.skip('a', work)"],
    ["xit('a', work)"],
    ["xtest('a', work)"],
    ["it.todo('a')"],
    ["test.fixme('a', work)"],
    ["it.skip.each([1])('a', work)"],
    ["describe.skip('of', () => { it('a', work); })"],
    ["xdescribe('of', () => { it('a', work); })"],
    ["test.describe.skip('of', () => { test('a', work); })"],
    ["test.describe.fixme('of', () => { test('a', work); })"],
    ["test.skip(({ browserName }) => browserName === 'webkit'); test('a', work)"],
    ["test('a', work); test.skip(true, 'why')"],
    ["test('a', async () => { test.skip(isSlow); })"],
    ["test('a', async ({}, testInfo) => { testInfo.skip(); })"],
    ["it('a', work); it.only('b', work)"],
    ["it('a', work); fit('b', work)"],
  ])('finds that a test is skipped: %s', (source) => {
    expect(testTitles(source).filter(({ title }) => title === 'a')).toEqual([{ title: 'a', skipped: true }]);
  });

  it.each([
    ["it('a', work)"],
    ["test('a', async () => { test.slow(); })"],
    ["it.each([[1]])('a', work)"],
    ["it.each<[number]>([[1]])('a', work)"],
    ["describe('of', () => { describe.each([1])('%s', () => { it('a', work); }); })"],
    ["describe.skip('other', () => { it('b', work); }); it('a', work)"],
    ["test.describe('of', () => { test('a', async () => { await test.step('b', work); }); })"],
    ["it('a', () => { values.skip(1); })"],
  ])('finds that a test runs: %s', (source) => {
    expect(testTitles(source).filter(({ title }) => title === 'a')).toEqual([{ title: 'a', skipped: false }]);
  });

  it('reads titles as they are written, and no other texts', () => {
    const source = "describe('of', () => { it(`is ${name}`, work); }); it('it\\'s %s', work); other('a');";
    expect(testTitles(source).map(({ title }) => title)).toEqual(['is ${name}', "it's %s"]);
  });
});

/** The file of the drivers that declares a class. */
function textOfDriver(name: string): string {
  const declares = new RegExp(`^export (?:abstract )?class ${name}\\b`, 'm');
  return (
    sourceFiles('backend/src/drivers', /\.ts$/)
      .map(textOf)
      .find((text) => declares.test(text)) ?? ''
  );
}
