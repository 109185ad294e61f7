import { describe, expect, it } from '@jest/globals';
import { reduceSchema } from './reduce-schema.js';

const GADGET = { group: 'shop.example', version: 'v1', kind: 'Gadget' };

type Reduced = Record<string, unknown> & {
  properties?: Record<string, Reduced>;
  $defs: Record<string, Reduced | undefined>;
};

/** @param root of the kind Gadget, whose definition is `gadget` */
function reduced(root: object, definitions: object = {}): Reduced {
  const schemas = { ...definitions, gadget: { ...root, 'x-kubernetes-group-version-kind': [GADGET] } };
  const text = reduceSchema(JSON.stringify({ components: { schemas } }), GADGET);
  return JSON.parse(text ?? 'null') as Reduced;
}

/** The reduced schema of one field. */
function field(schema: object): unknown {
  return reduced({ type: 'object', properties: { it: schema } }).$defs['gadget']?.properties?.['it'];
}

describe('reduceSchema', () => {
  it('keeps the definitions that a kind reaches', () => {
    const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    const schema = reduced(
      {
        type: 'object',
        properties: { spec: { allOf: [ref('spec')], default: {}, description: 'What to do' } },
      },
      {
        spec: {
          type: 'object',
          properties: { size: { type: 'integer', format: 'int32' } },
          required: ['size'],
        },
        other: { type: 'object', properties: { spec: ref('spec') } },
      },
    );
    expect(schema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $ref: '#/$defs/gadget',
      $defs: {
        gadget: {
          type: 'object',
          properties: { spec: { $ref: '#/$defs/spec', description: 'What to do' } },
          additionalProperties: false,
        },
        spec: {
          type: 'object',
          properties: { size: { type: 'integer', format: 'int32' } },
          required: ['size'],
          additionalProperties: false,
        },
      },
    });
  });

  it('keeps a definition that contains itself', () => {
    const self = { $ref: '#/components/schemas/gadget' };
    const schema = reduced({ properties: { not: self, all: { type: 'array', items: self } } });
    expect(schema.$defs['gadget']?.properties).toEqual({
      not: { $ref: '#/$defs/gadget' },
      all: { type: 'array', items: { $ref: '#/$defs/gadget' } },
    });
  });

  it.each([
    [{ 'x-kubernetes-int-or-string': true, anyOf: [{}] }, { type: ['integer', 'string'] }],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, { type: ['string', 'number'] }],
    [{ type: 'object', anyOf: [{ required: ['a'] }] }, { type: 'object' }],
    [{ anyOf: [{ required: ['a'] }] }, {}],
    [
      { type: 'string', enum: ['a', 'b'], maxLength: 3 },
      { type: 'string', enum: ['a', 'b'] },
    ],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [
      { type: 'object', properties: { a: {} }, 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object', properties: { a: {} }, additionalProperties: true },
    ],
    [
      {
        properties: { a: { default: 'TCP' }, b: { default: '' }, c: { default: {} } },
        required: ['a', 'b', 'c'],
      },
      { properties: { a: {}, b: {}, c: {} }, required: ['b', 'c'], additionalProperties: false },
    ],
  ])('reduces %j', (schema, expected) => {
    expect(field(schema)).toEqual(expected);
  });

  it.each([
    [{ type: 'function' }, {}],
    [{ type: ['string'] }, {}],
    [{ $ref: '#/components/schemas/missing' }, {}],
    [{ $ref: '#/components/schemas/__proto__' }, {}],
    [{ $ref: 'https://elsewhere.example/schema' }, {}],
    [{ $ref: 7, items: 'x', required: 'a', enum: [{}], description: 5 }, { items: {} }],
    [null, {}],
  ])('allows every value for the unknown shape %j', (schema, expected) => {
    expect(field(schema as object)).toEqual(expected);
  });

  it('keeps fields with the names of prototypes as data', () => {
    const text = '{"components":{"schemas":{"gadget":{"x-kubernetes-group-version-kind":[GVK],"properties":';
    const properties = '{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}}}}}';
    const result = reduceSchema(text.replace('GVK', JSON.stringify(GADGET)) + properties, GADGET) ?? '';
    expect(result).toContain('"properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}');
    expect(({} as { type?: string }).type).toBeUndefined();
  });

  it('truncates descriptions', () => {
    const { description } = field({ description: 'x'.repeat(5000) }) as { description: string };
    expect(description).toHaveLength(400);
  });

  it('allows every value beyond the limits of depth, values, fields and definitions', () => {
    let deep: object = { type: 'integer' };
    for (let depth = 0; depth < 1000; depth += 1) deep = { items: deep };
    expect(JSON.stringify(field(deep))).toMatch(/^(\{"items":){60,70}\{\}+$/);

    expect(field({ enum: Array.from({ length: 201 }, (_, index) => index) })).toEqual({});

    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, {}]));
    const cut = field({ properties: wide }) as { properties: object; additionalProperties: unknown };
    expect(Object.keys(cut.properties).length).toBeLessThan(30_001);
    expect(cut.additionalProperties).toBe(true);

    const many = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [
        `d${index}`,
        { properties: { next: { $ref: `#/components/schemas/d${index + 1}` } } },
      ]),
    );
    const { $defs } = reduced({ properties: { first: { $ref: '#/components/schemas/d0' } } }, many);
    expect(Object.keys($defs)).toHaveLength(1000);
  });

  it.each([
    '',
    'no JSON',
    '[]',
    '{"components":null}',
    '{"components":{"schemas":[null]}}',
    '{"components":{"schemas":{"a":7}}}',
  ])('returns null for %j', (text) => {
    expect(reduceSchema(text, GADGET)).toBeNull();
  });

  it('returns null for another version of the kind', () => {
    const schemas = { a: { 'x-kubernetes-group-version-kind': [GADGET] } };
    const text = JSON.stringify({ components: { schemas } });
    expect(reduceSchema(text, { ...GADGET, version: 'v2' })).toBeNull();
  });
});
