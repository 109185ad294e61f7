import { describe, expect, it } from '@jest/globals';
import { checkSchema } from './check-schema.js';
import { overlay, parseValues } from './parse-values.js';
import { schemaProblems } from './schema-problems.js';

describe('parseValues', () => {
  it.each(['', '# only a comment\n', '---\n'])('finds no values in %j', (text) => {
    expect(parseValues(text)).toEqual({});
  });

  it.each([
    ['a: 1\nb: [2\n', 'Line 3'],
    ['a: 1\na: 2\n', 'Line 2'],
    ['a: 1\n---\nb: 2\n', 'a single document'],
    ['- a\n', 'must be a mapping'],
    ['just text', 'must be a mapping'],
    [`a: &a [x, x]\nb: &b [${'*a, '.repeat(300)}*a]\nc: [${'*b, '.repeat(300)}*b]\n`, 'Aliases repeat'],
  ])('rejects %j', (text, words) => {
    expect(() => parseValues(text)).toThrow(
      expect.objectContaining({ code: 'values_refused', message: expect.stringContaining(words) }),
    );
  });
});

describe('overlay', () => {
  it('merges mappings by key, replaces lists, and removes keys with null', () => {
    const defaults = { image: { name: 'a', tag: 'v1' }, args: ['x', 'y'], extra: { deep: true } };
    expect(overlay(defaults, { image: { tag: 'v2' }, args: ['z'], extra: null })).toEqual({
      image: { name: 'a', tag: 'v2' },
      args: ['z'],
    });
  });
});

const chartWith = (schema: object): { schema: string; defaultValues: string } => ({
  schema: JSON.stringify(schema),
  defaultValues: 'replicas: 1\n',
});

describe('checkSchema', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      replicas: { type: 'integer' },
      service: {
        type: 'object',
        properties: { type: { enum: ['ClusterIP', 'NodePort'] } },
        additionalProperties: false,
      },
      hosts: { type: 'array', items: { type: 'string' } },
    },
    required: ['value-of-a-dependency'],
  };
  const check = (text: string): Promise<void> => checkSchema(chartWith(schema), text);

  it.each([
    ['replicas: many\n', 'replicas must be integer (line 1)'],
    [
      'replicas: 2\nservice:\n  type: LoadBalancer\n',
      'service.type must be equal to one of the allowed values: ClusterIP, NodePort (line 3)',
    ],
    ['service:\n  kind: x\n', 'service.kind is not a value of the chart (line 2)'],
    ['hosts:\n  - a\n  - 1\n', 'hosts[1] must be string (line 3)'],
  ])('reports the path and line of the problem in %j', async (text, words) => {
    await expect(check(text)).rejects.toMatchObject({
      code: 'values_refused',
      message: expect.stringContaining(words),
    });
  });

  it('leaves missing values and invalid schemas to helm', async () => {
    await check('replicas: 2\n');
    await checkSchema(chartWith({ $ref: 'https://nowhere.test/schema' }), 'a: 1');
  });

  it('stops a catastrophic regex without blocking the event loop', async () => {
    const trap = { properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
    const name = `${'a'.repeat(50)}!`;
    let turns = 0;
    const clock = setInterval(() => (turns += 1), 20);
    await checkSchema(chartWith(trap), `name: ${name}`);
    clearInterval(clock);
    expect(turns).toBeGreaterThan(10);
  });

  it('reports at most ten problems', () => {
    const values = Array.from({ length: 100 }, (_, index) => `k${index}: ${index}\n`).join('');
    const schema = JSON.stringify({ additionalProperties: { type: 'string' } });
    expect(schemaProblems({ schema, defaults: '', values, written: values })).toHaveLength(10);
  });

  it('ignores a schema that needs too much memory', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `k${index}: ${index}\n`).join('');
    const deep = {
      allOf: Array.from({ length: 3000 }, () => ({ additionalProperties: { type: 'string' } })),
    };
    await expect(checkSchema(chartWith(deep), many)).resolves.toBeUndefined();
  });
});
