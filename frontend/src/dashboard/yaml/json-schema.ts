/** The used subset of JSON Schema. */
export interface Schema {
  $ref?: string;
  $defs?: Readonly<Record<string, Schema>>;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  const?: string;
  enum?: readonly (string | number | boolean)[];
  /** Values to offer beside others that are valid too. */
  examples?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  /** Of an object with `properties`; false rejects others. */
  additionalProperties?: Schema | boolean;
  items?: Schema;
}

const DEFINITIONS = '#/$defs/';
/** A reference to a reference is rare; an endless chain is possible. */
const MAX_HOPS = 8;

/** A schema whose reference has been followed. Names of fields may be those of prototypes, such as `constructor`. */
export class SchemaView {
  readonly own: Schema;
  /** `DeploymentSpec`; undefined without a reference. */
  readonly typeName: string | undefined;

  constructor(
    private readonly root: Schema,
    schema: Schema,
    private readonly key: string,
  ) {
    let own = schema;
    for (let hop = 0; own.$ref !== undefined && hop < MAX_HOPS; hop += 1) {
      const definition = own.$ref.slice(DEFINITIONS.length);
      own = ofKey(root.$defs, definition) ?? {};
      this.typeName = definition.split('.').at(-1);
    }
    // The description of a field says more than that of its type.
    this.own = schema.description === undefined ? own : { ...own, description: schema.description };
  }

  static of(root: Schema, kind: string): SchemaView {
    return new SchemaView(root, root, kind);
  }

  /** For messages: of the type, or the key of the field. */
  get name(): string {
    return this.typeName ?? this.key;
  }

  /** Allowed types; empty for all. */
  get types(): readonly string[] {
    const { type = [] } = this.own;
    return typeof type === 'string' ? [type] : type;
  }

  get fields(): string[] {
    return Object.keys(this.own.properties ?? {});
  }

  /** Whether other fields than `fields` are wrong. */
  get isClosed(): boolean {
    return this.own.additionalProperties === false;
  }

  field(key: string): SchemaView | undefined {
    const { properties, additionalProperties: further } = this.own;
    const schema = ofKey(properties, key) ?? (typeof further === 'object' ? further : undefined);
    return schema && new SchemaView(this.root, schema, key);
  }

  get items(): SchemaView | undefined {
    return this.own.items && new SchemaView(this.root, this.own.items, this.key);
  }

  /** The schema at a path of keys; `[]` for an item of a list. */
  at(path: readonly string[]): SchemaView | undefined {
    return path.reduce<SchemaView | undefined>(
      (view, step) => (step === '[]' ? view?.items : view?.field(step)),
      this,
    );
  }
}

function ofKey<TValue>(
  values: Readonly<Record<string, TValue>> | undefined,
  key: string,
): TValue | undefined {
  return values !== undefined && Object.hasOwn(values, key) ? values[key] : undefined;
}
