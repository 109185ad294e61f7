import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import type * as depcruise from 'dependency-cruiser';
import type { ICruiseOptions, ICruiseResult, IForbiddenRuleType } from 'dependency-cruiser';
import { readProject } from '../../backend/src/core/config/project.js';
import { importTool } from '../support/import-tool.js';
import { sourceFiles } from './source-tree.js';

interface Rules {
  forbidden: (IForbiddenRuleType & { name: string; from: { path?: unknown }; to: { path?: unknown } })[];
  options: ICruiseOptions & { enhancedResolveOptions: object };
}

const { root } = readProject();
const rules = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as Rules;
const fixtures = join(root, 'test', 'fixtures', 'layers');

/** Distinct names of the rules: one may consist of several entries. */
const names = [...new Set(rules.forbidden.map(({ name }) => name))];

/** The rules that a fixture violates, one entry for each violation. */
async function violationsOf(fixture: string): Promise<string[]> {
  const { cruise } = await importTool<typeof depcruise>('dependency-cruiser');
  const { enhancedResolveOptions, ...options } = rules.options;
  const baseDir = join(fixtures, fixture);
  const { output } = await cruise(
    readdirSync(baseDir),
    { ...options, baseDir, validate: true, ruleSet: { forbidden: rules.forbidden } },
    enhancedResolveOptions,
  );
  const { summary } = output as ICruiseResult;
  expect(summary.totalCruised).toBeGreaterThan(0);
  return summary.violations.map(({ rule }) => rule.name);
}

// Reads the whole project first, which takes long on a busy machine.
jest.setTimeout(120_000);

describe('dependency rules', () => {
  it('accept a tree that complies and uses every entry point', async () => {
    expect(await violationsOf('clean')).toEqual([]);
  });

  it('have severity error and a fixture each', () => {
    expect(readdirSync(fixtures).sort()).toEqual([...names, 'clean'].sort());
    expect(rules.forbidden.filter(({ severity }) => severity !== 'error')).toEqual([]);
  });

  it('give each folder of an ordered tree a place', () => {
    const orders = names.filter((name) => name.endsWith('-folder-order'));
    for (const order of orders) {
      // The first entry has the lowest folder in `from` and all others in `to`.
      const entry = rules.forbidden.find(({ name }) => name === order);
      const [from, to] = [entry?.from.path, entry?.to.path].map((path) =>
        /^\^(.+)\/\((.+)\)\/$/.exec(String(path)),
      );
      const tree = `${from?.[1]}`;
      const placed = [from, to].flatMap((match) => `${match?.[2]}`.split('|'));
      const folders = sourceFiles(tree, /\.ts$/)
        .map((file) => file.slice(tree.length + 1))
        .filter((file) => file.includes('/'))
        .map((file) => file.split('/')[0]);
      expect([tree, ...[...new Set(folders)].sort()]).toEqual([tree, ...placed.sort()]);
    }
    expect(orders.length).toBeGreaterThan(0);
  });

  it.each(names)('%s is violated by its fixture, which violates no other rule', async (name) => {
    const violations = await violationsOf(name);
    const entries = rules.forbidden.filter((rule) => rule.name === name);
    expect(new Set(violations)).toEqual(new Set([name]));
    expect(violations.length).toBeGreaterThanOrEqual(entries.length);
  });
});
