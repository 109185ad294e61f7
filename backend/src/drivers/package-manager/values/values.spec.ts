import { describe, expect, it } from '@jest/globals';
import { checkSchema } from './check-schema.js';
import { overlay, parseValues } from './parse-values.js';
import { schemaProblems } from './schema-problems.js';

describe('values as they are given', () => {
  it.each(['', '# nothing but a comment\n', '---\n'])('has none in %j', (text) => {
    expect(parseValues(text)).toEqual({});
  });

  it.each([
    ['a: 1\nb: [2\n', 'Line 3'],
    ['a: 1\na: 2\n', 'Line 2'],
    ['a: 1\n---\nb: 2\n', 'one document'],
    ['- a\n', 'names with what they stand for'],
    ['just text', 'names with what they stand for'],
    [`a: &a [x, x]\nb: &b [${'*a, '.repeat(300)}*a]\nc: [${'*b, '.repeat(300)}*b]\n`, 'Aliases repeat'],
  ])('refuses %j', (text, words) => {
    expect(() => parseValues(text)).toThrow(
      expect.objectContaining({ code: 'values_refused', message: expect.stringContaining(words) }),
    );
  });

  it('lays them over the chart’s own as helm does: maps by key, lists whole, a null takes away', () => {
    const own = { image: { name: 'a', tag: 'v1' }, args: ['x', 'y'], extra: { deep: true } };
    expect(overlay(own, { image: { tag: 'v2' }, args: ['z'], extra: null })).toEqual({
      image: { name: 'a', tag: 'v2' },
      args: ['z'],
    });
  });
});

const chartWith = (schema: object): { schema: string; defaultValues: string } => ({
  schema: JSON.stringify(schema),
  defaultValues: 'replicas: 1\n',
});

describe('values against the schema of a chart', () => {
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
    required: ['brought-by-a-chart-within'],
  };
  const check = (text: string): Promise<void> => checkSchema(chartWith(schema), text);

  it.each([
    ['replicas: many\n', 'replicas must be integer (line 1)'],
    [
      'replicas: 2\nservice:\n  type: LoadBalancer\n',
      'service.type must be equal to one of the allowed values: ClusterIP, NodePort (line 3)',
    ],
    ['service:\n  kind: x\n', 'service.kind is a value that the chart does not know (line 2)'],
    ['hosts:\n  - a\n  - 1\n', 'hosts[1] must be string (line 3)'],
  ])('names the path and the line of what is wrong in %j', async (text, words) => {
    await expect(check(text)).rejects.toMatchObject({
      code: 'values_refused',
      message: expect.stringContaining(words),
    });
  });

  it('leaves to helm what was not given, and schemas that cannot be compiled', async () => {
    await check('replicas: 2\n');
    await checkSchema(chartWith({ $ref: 'https://nowhere.test/schema' }), 'a: 1');
  });

  it('neither waits for a pattern that takes for ever nor holds anything up by it', async () => {
    const trap = { properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
    const name = `${'a'.repeat(50)}!`;
    let turns = 0;
    const clock = setInterval(() => (turns += 1), 20);
    await checkSchema(chartWith(trap), `name: ${name}`);
    clearInterval(clock);
    // The check takes seconds: in this thread there would be none.
    expect(turns).toBeGreaterThan(10);
  });

  it('hears of ten problems, and not of every one that a schema finds', () => {
    const values = Array.from({ length: 100 }, (_, index) => `k${index}: ${index}\n`).join('');
    const schema = JSON.stringify({ additionalProperties: { type: 'string' } });
    expect(schemaProblems({ schema, own: '', values, written: values })).toHaveLength(10);
  });

  it('does not fail over a schema that takes all memory', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `k${index}: ${index}\n`).join('');
    const deep = {
      allOf: Array.from({ length: 3000 }, () => ({ additionalProperties: { type: 'string' } })),
    };
    await expect(checkSchema(chartWith(deep), many)).resolves.toBeUndefined();
  });
});
