import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { kindConfigs, recordedResults, withoutZeros } from '../../../../test/support/kind-configs/corpus.js';
import { REFUSALS } from '../../../../test/support/kind-configs/refusals.js';
import { parseKindConfig } from './parse-kind-config.js';
import { completeKindConfig } from './render-kind-config.js';

/** `npm run test:real -- --all` checks that kind still has the recorded results. */
describe('parseKindConfig and the recorded results of kind', () => {
  const configs = kindConfigs();
  const { results: recorded } = recordedResults();
  const results = [...configs].map(([name, text]) => ({
    name,
    ofKind: recorded[name] ?? {},
    ...parseKindConfig(text),
  }));

  it('cover a corpus of at least 200 configs, of which kind rejects some', () => {
    expect(Object.keys(recorded)).toEqual([...configs.keys()]);
    const accepted = results.filter(({ ofKind }) => ofKind.config !== undefined).length;
    expect(Math.min(accepted, results.length - accepted)).toBeGreaterThan(200);
  });

  it('reject what kind rejects', () => {
    const lax = results.filter(({ ofKind, parsed }) => ofKind.error !== undefined && parsed);
    expect(lax.map(({ name }) => name)).toEqual([]);
  });

  it('read the same values', () => {
    for (const { name, ofKind, parsed } of results) {
      if (!parsed || ofKind.config === undefined) continue;
      expect({ name, config: withoutZeros(parsed.config) }).toEqual({
        name,
        config: withoutZeros(ofKind.config),
      });
    }
  });

  it('reject what kind accepts only for documented reasons', () => {
    const patterns = REFUSALS.map(({ pattern }) => pattern);
    const further = results
      .filter(({ ofKind }) => ofKind.config !== undefined)
      .flatMap(({ name, problems }) => {
        const [first] = problems.map(({ path, problem }) => `${path} ${problem}`);
        // Wrong syntax has errors that follow from the first.
        return first === undefined || patterns.some((pattern) => pattern.test(first))
          ? []
          : [`${name}: ${first}`];
      });
    expect(further).toEqual([]);
  });

  it.each(REFUSALS)('reject on purpose: $what', ({ config, problems, pattern }) => {
    const found = parseKindConfig(config, 'dev').problems;
    expect(found.map(({ line, path, problem }) => `${line} ${path} ${problem}`)).toEqual(problems);
    for (const { path, problem } of found) expect(`${path} ${problem}`).toMatch(pattern);
  });

  it('have all refusals in the documentation', () => {
    const docs = readFileSync(join(__dirname, '../../../../docs/clusters.md'), 'utf8');
    const [, table = ''] =
      /^## Configs that only kind accepts\n[^]*?\n\| -+ \| -+ \|\n([^]*?)\n\n/m.exec(docs) ?? [];
    const documented = table.split('\n').map((row) => row.split('|')[1]?.trim());
    expect(documented).toEqual(REFUSALS.map(({ what }) => what));
    expect(documented.length).toBeLessThanOrEqual(10);
  });

  it('stay the same after the name and images are added', () => {
    for (const { name, parsed } of results) {
      // The name is the key of a label there.
      if (!parsed || name === 'an alias as a key') continue;
      const { text, config } = completeKindConfig(parsed, 'given', 'kindest/node:v1');
      const { nodes = [], ...rest } = parsed.config;
      const given = nodes.length > 0 ? nodes : [{ role: 'control-plane' }];
      const wanted = {
        ...rest,
        name: 'given',
        nodes: given.map((node) => ({ image: 'kindest/node:v1', ...node })),
      };
      expect({ name, config }).toEqual({ name, config: wanted });
      expect({ name, config: parseKindConfig(text, 'given').parsed?.config }).toEqual({ name, config });
    }
  });
});
