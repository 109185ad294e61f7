import { jsonValue } from '../../../core/parsing/index.js';
import { isRecord, recordOf, shortened } from '../../../core/values/index.js';

/** Identifies a schema in an OpenAPI document. The core group is empty. */
export interface KindName {
  group: string;
  version: string;
  kind: string;
}

/** The JSON Schema of a field, with what an editor uses of it. An empty one allows every value. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: (string | number | boolean)[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
}

const PREFIX = '#/components/schemas/';
const DEFINITION = /^[\w.-]{1,300}$/;
const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

/** The limits are far above the kinds of Kubernetes, of which the largest have 180 kB after the reduction. */
const MAX_FIELDS = 30_000;
const MAX_DEFINITIONS = 1000;
const MAX_DEPTH = 64;
const MAX_DESCRIPTION = 400;
/** All descriptions of a schema together. */
const MAX_DESCRIPTIONS = 1_000_000;
const MAX_NAME = 300;
const MAX_VALUES = 200;

/**
 * Reduces the OpenAPI v3 document of a cluster, which is not trusted, to the JSON Schema of one kind. What exceeds the
 * limits, or is unknown, becomes a schema that allows every value.
 * @returns JSON; null if the document does not describe the kind
 */
export function reduceSchema(document: string, kind: KindName): string | null {
  const { schemas } = recordOf(recordOf(jsonValue(document))['components']);
  const definitions = recordOf(schemas);
  const root = Object.keys(definitions).find((name) => describes(definitions[name], kind));
  return root === undefined ? null : JSON.stringify(new Reduction(definitions).of(root));
}

function describes(definition: unknown, { group, version, kind }: KindName): boolean {
  const names = recordOf(definition)['x-kubernetes-group-version-kind'];
  return (
    Array.isArray(names) &&
    names
      .map(recordOf)
      .some((name) => name['group'] === group && name['version'] === version && name['kind'] === kind)
  );
}

class Reduction {
  /** Definitions that a reference leads to; also those that are still to reduce. */
  private readonly reached = new Set<string>();
  private fields = MAX_FIELDS;
  private descriptions = MAX_DESCRIPTIONS;

  constructor(private readonly definitions: Readonly<Record<string, unknown>>) {}

  of(root: string): object {
    const schema = this.reduce({ $ref: PREFIX + root }, 0);
    const reduced: [string, Schema][] = [];
    // A set also iterates over what is added meanwhile.
    for (const name of this.reached) reduced.push([name, this.reduce(this.definitions[name], 0)]);
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...schema,
      $defs: Object.fromEntries(reduced),
    };
  }

  private reduce(value: unknown, depth: number): Schema {
    this.fields -= 1;
    if (!isRecord(value) || this.fields < 0 || depth > MAX_DEPTH) return {};
    const description = this.describe(value['description']);
    const described = description === undefined ? {} : { description };
    const reference = referenceOf(value);
    if (reference !== undefined) return { ...this.refer(reference), ...described };
    const type = typeOf(value);
    return {
      ...(type === undefined ? {} : { type }),
      ...described,
      ...formatOf(value),
      ...enumOf(value),
      ...(value['items'] === undefined ? {} : { items: this.reduce(value['items'], depth + 1) }),
      ...this.fieldsOf(value, depth),
    };
  }

  private refer(name: string): Schema {
    if (!DEFINITION.test(name) || !Object.hasOwn(this.definitions, name)) return {};
    if (!this.reached.has(name) && this.reached.size >= MAX_DEFINITIONS) return {};
    this.reached.add(name);
    return { $ref: `#/$defs/${name}` };
  }

  private describe(text: unknown): string | undefined {
    if (typeof text !== 'string' || text === '') return undefined;
    const description = shortened(text, MAX_DESCRIPTION);
    this.descriptions -= description.length;
    return this.descriptions < 0 ? undefined : description;
  }

  private fieldsOf(value: Record<string, unknown>, depth: number): Schema {
    const further = value['additionalProperties'];
    const found = Object.entries(recordOf(value['properties'])).filter(([name]) => name.length <= MAX_NAME);
    if (found.length === 0) {
      return isRecord(further) ? { additionalProperties: this.reduce(further, depth + 1) } : {};
    }
    const isCut = found.length > this.fields;
    const kept = found.slice(0, Math.max(this.fields, 0));
    const properties = kept.map(([name, field]): [string, Schema] => [name, this.reduce(field, depth + 1)]);
    const isOpen = isCut || further === true || value['x-kubernetes-preserve-unknown-fields'] === true;
    const required = requiredOf(value, new Map(kept));
    return {
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: isRecord(further) ? this.reduce(further, depth + 1) : isOpen,
    };
  }
}

/** Kubernetes wraps a reference with a default or a description in `allOf`. */
function referenceOf({ $ref, allOf }: Record<string, unknown>): string | undefined {
  const only = Array.isArray(allOf) && allOf.length === 1 ? recordOf(allOf[0])['$ref'] : undefined;
  const reference = $ref ?? only;
  return typeof reference === 'string' && reference.startsWith(PREFIX)
    ? reference.slice(PREFIX.length)
    : undefined;
}

/** `oneOf` and `anyOf` are used for `IntOrString` and `Quantity`; other uses of them are not checked. */
function typeOf(value: Record<string, unknown>): string | string[] | undefined {
  if (value['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  const { type, oneOf, anyOf } = value;
  if (typeof type === 'string') return TYPES.includes(type) ? type : undefined;
  const choices: unknown = oneOf ?? anyOf;
  if (!Array.isArray(choices)) return undefined;
  const types = choices.slice(0, TYPES.length).map((choice) => recordOf(choice)['type']);
  const isKnown = types.every((each): each is string => typeof each === 'string' && TYPES.includes(each));
  return isKnown && types.length === choices.length ? types : undefined;
}

function formatOf({ format }: Record<string, unknown>): Schema {
  return typeof format === 'string' && format.length <= MAX_NAME ? { format } : {};
}

function enumOf(value: Record<string, unknown>): Schema {
  const values = value['enum'];
  // Part of the values would make the others wrong.
  if (!Array.isArray(values) || values.length === 0 || values.length > MAX_VALUES) return {};
  const isKnown = values.every(
    (each): each is string | number | boolean =>
      typeof each === 'boolean' ||
      typeof each === 'number' ||
      (typeof each === 'string' && each.length <= MAX_NAME),
  );
  return isKnown ? { enum: values } : {};
}

/** A field with a default is not required: the API server adds it. */
function requiredOf(
  { required }: Record<string, unknown>,
  properties: ReadonlyMap<string, unknown>,
): string[] {
  if (!Array.isArray(required)) return [];
  return required.filter(
    (name): name is string =>
      typeof name === 'string' && properties.has(name) && !hasDefault(properties.get(name)),
  );
}

/** Kubernetes also gives the zero values of Go as defaults, such as `""` for the name of a container. */
function hasDefault(field: unknown): boolean {
  const value = recordOf(field)['default'];
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
