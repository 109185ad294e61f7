import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { cruise, type ICruiseOptions, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { readProject } from '../../backend/src/core/config/index.js';

interface Rules {
  forbidden: (IForbiddenRuleType & { name: string })[];
  options: ICruiseOptions & { enhancedResolveOptions: object };
}

const { root } = readProject();
const rules = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as Rules;
const fixtures = join(root, 'test', 'fixtures', 'layers');

/** What the project's own rules say of a tree that is laid out like the project. */
async function violationsOf(fixture: string): Promise<string[]> {
  const { enhancedResolveOptions, ...options } = rules.options;
  const baseDir = join(fixtures, fixture);
  const { output } = await cruise(
    readdirSync(baseDir),
    { ...options, baseDir, validate: true, ruleSet: { forbidden: rules.forbidden } },
    enhancedResolveOptions,
  );
  const { summary } = output as ICruiseResult;
  expect(summary.totalCruised).toBeGreaterThan(0);
  return [...new Set(summary.violations.map(({ rule }) => rule.name))];
}

// The tools read the whole project first, on a machine that may have much else to do.
jest.setTimeout(120_000);

describe('the layer rules', () => {
  it('let a tree pass that keeps them, with every door in use', async () => {
    expect(await violationsOf('clean')).toEqual([]);
  });

  it('each have a fixture that breaks it', () => {
    const named = rules.forbidden.map(({ name }) => name).sort();
    expect(readdirSync(fixtures).sort()).toEqual([...named, 'clean'].sort());
    expect(rules.forbidden.filter(({ severity }) => severity !== 'error')).toEqual([]);
  });

  it.each(rules.forbidden.map(({ name }) => name))('%s: its fixture breaks it and no other', async (name) => {
    expect(await violationsOf(name)).toEqual([name]);
  });
});
