import {
  type Document,
  goBoolean,
  goInteger,
  goText,
  goValue,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
  type YAMLMap,
} from '../../core/yaml/index.js';

/** The parts of the JSON Schema of kind configs that say how a value is read. */
export interface TypeSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, TypeSchema>;
  additionalProperties?: false | TypeSchema;
  items?: TypeSchema;
}

/** Options of documents for `KindConfigDecoder`: scalars keep their text, and their tags are only recorded. */
export const AS_TEXT = { schema: 'failsafe', resolveKnownTags: false } as const;

/** For go-yaml, other characters end the name of an anchor. */
const ANCHOR = /^[\w-]+$/;

export type Path = readonly (string | number)[];

/** Where a field is in the text. A merged field is where the merged map has it. */
interface Place {
  key?: Node;
  value: Node | null;
}

/**
 * Reads a document into the types of a schema as the decoder of kind does (go-yaml v3 with known fields): `<<` merges,
 * null and empty text are values that are not set, and each scalar becomes what its field takes. What does not fit its
 * field stays as it is, for the schema to reject.
 */
export class KindConfigDecoder {
  readonly value: unknown;
  /** Keys that kind cannot read. */
  readonly problems: { path: Path; node: Node; problem: string }[] = [];
  private readonly places = new Map<string, Place>();
  /** The library would search the whole document for each alias. */
  private readonly targets = new Map<unknown, Node | undefined>();

  constructor(
    private readonly document: Document.Parsed,
    schema: TypeSchema,
  ) {
    const anchors = new Map<string, Node>();
    const check = (name: string, node: Node): void => {
      if (!ANCHOR.test(name)) {
        this.problems.push({ path: [], node, problem: `has the anchor ${name}, which kind reads otherwise` });
      }
    };
    visit(document, {
      Alias: (_, alias) => {
        check(alias.source, alias);
        this.targets.set(alias, anchors.get(alias.source));
      },
      Value: (_, node) => {
        if (node.anchor === undefined) return;
        check(node.anchor, node);
        anchors.set(node.anchor, node);
      },
    });
    this.value = this.read(document.contents, schema, []);
  }

  /** Whether the text has a field, which may have no value. */
  has(path: Path): boolean {
    return this.places.has(keyOf(path));
  }

  /** The place of a value, or of the nearest parent that has one. */
  placeOf(path: Path): Place | undefined {
    for (let length = path.length; length > 0; length -= 1) {
      const place = this.places.get(keyOf(path.slice(0, length)));
      if (place) return length === path.length ? place : { value: place.value };
    }
    return this.document.contents ? { value: this.document.contents } : undefined;
  }

  /** The map or list that a value was read from. */
  nodeOf(path: Path): unknown {
    const value = path.length === 0 ? this.document.contents : this.places.get(keyOf(path))?.value;
    return this.resolve(value);
  }

  /** `undefined` for a value that is not set. */
  private read(given: unknown, schema: TypeSchema, path: Path): unknown {
    const node = this.resolve(given);
    if (isMap(node)) {
      const fields = new Map<string, unknown>();
      // A map where another type belongs is a problem, whatever is in it.
      if (schema.type === 'object') this.readFields(node, schema, path, fields);
      return Object.fromEntries(fields);
    }
    if (isSeq(node)) {
      const values: unknown[] = [];
      for (const item of schema.type === 'array' ? node.items : []) {
        const place = [...path, values.length];
        const value = this.read(item, schema.items ?? {}, place);
        if (value === undefined) continue;
        this.places.set(keyOf(place), { value: item as Node });
        values.push(value);
      }
      return values;
    }
    const value = isScalar(node) ? scalarValue(node, schema) : undefined;
    // `PortMapping.UnmarshalYAML` of kind.
    return path.at(-1) === 'protocol' && typeof value === 'string' ? value.toUpperCase() : value;
  }

  /** @param taken names of fields that a map has which merges this one. */
  private readFields(
    map: YAMLMap,
    schema: TypeSchema,
    path: Path,
    fields: Map<string, unknown>,
    taken?: Set<unknown>,
  ): void {
    const values = schema.additionalProperties;
    let merged: unknown;
    const own = new Set<unknown>();
    for (const { key: given, value } of map.items) {
      const key = this.resolve(given);
      if (!isScalar(key) || (key.source === '' && key.type === 'PLAIN')) {
        this.problems.push({ path, node: given as Node, problem: 'has a value without a key' });
        continue;
      }
      if (isMergeKey(key)) {
        if (merged !== undefined) {
          this.problems.push({ path: [...path, '<<'], node: key, problem: 'is a second merge key' });
        }
        merged = value ?? key;
        continue;
      }
      // In a merge, go-yaml does not see that a key such as `1` is the text of another.
      own.add(goValue(key));
      const name = goText(key);
      if (name === undefined) {
        this.problems.push({ path, node: given as Node, problem: 'has a key that its tag does not allow' });
      }
      if (typeof name !== 'string' || taken?.has(name)) continue;
      taken?.add(name);
      const field = [...path, name];
      const known = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
      const type = known ?? (values || undefined);
      const read = type && this.read(value, type, field);
      this.places.set(keyOf(field), { key: given as Node, value: value as Node | null });
      if (read === undefined || (read === '' && known && isText(known))) {
        if (known || fields.has(name)) continue;
        fields.set(name, values ? zeroOf(values) : null);
      } else fields.set(name, read);
    }
    if (merged === undefined) return;
    for (const source of this.mergedMaps(merged, [...path, '<<'])) {
      this.readFields(source, schema, path, fields, taken ?? own);
    }
  }

  private mergedMaps(merged: unknown, path: Path): YAMLMap[] {
    const sources: unknown[] = isSeq(merged) ? merged.items : [merged];
    return sources.flatMap((source) => {
      const map = this.resolve(source);
      if (isMap(map)) return [map];
      this.problems.push({ path, node: source as Node, problem: 'must be a map, or a list of maps' });
      return [];
    });
  }

  private resolve(node: unknown): unknown {
    return isAlias(node) ? this.targets.get(node) : node;
  }
}

function scalarValue(scalar: Scalar, schema: TypeSchema): unknown {
  if (schema.type === 'boolean') return goBoolean(scalar) ?? orUnset(scalar);
  if (schema.type === 'integer') return goInteger(scalar) ?? orUnset(scalar);
  return goText(scalar) ?? orUnset(scalar);
}

/** A value that no type of field takes, unless it is null. */
function orUnset(scalar: Scalar): number | undefined {
  return goValue(scalar) === null ? undefined : NaN;
}

/** Texts with certain values have no type in the schema. */
function isText({ type = 'string' }: TypeSchema): boolean {
  return type === 'string';
}

function zeroOf({ type }: TypeSchema): unknown {
  return type === 'boolean' ? false : '';
}

function isMergeKey({ source, type, tag }: Scalar): boolean {
  if (source !== '<<') return false;
  return tag === undefined || tag === '!' ? type === 'PLAIN' : tag === 'tag:yaml.org,2002:merge';
}

function keyOf(path: Path): string {
  return path.join('\0');
}
