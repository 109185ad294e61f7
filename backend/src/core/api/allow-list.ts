type Constructor = new () => object;
type NestedType = (() => Constructor) | undefined;

/** By the prototype of the class that declares them. */
const declared = new WeakMap<object, Map<string, NestedType>>();
/** With the fields of base classes. */
const fieldsOfClass = new WeakMap<Constructor, readonly [string, NestedType][]>();

/**
 * Lets a field of a response leave the server.
 * @param nested the class of its objects, whose own fields then decide. Other values are sent unchanged.
 */
export function Exposed(nested?: () => Constructor): PropertyDecorator {
  return (prototype, name) => {
    const fields = declared.get(prototype) ?? new Map<string, NestedType>();
    declared.set(prototype, fields.set(String(name), nested));
  };
}

/**
 * A copy with only the fields that a class declares. class-transformer does the same in 20 times the time, which was most
 * of the time of a small response.
 */
export function allowListed<TDto extends object>(type: new () => TDto, value: object): TDto {
  const copy: Record<string, unknown> = {};
  for (const [name, nested] of fieldsOf(type)) {
    const field = (value as Record<string, unknown>)[name];
    if (field !== undefined) copy[name] = nested ? nestedCopy(nested(), field) : field;
  }
  return copy as TDto;
}

export function isExposed(type: Constructor): boolean {
  return fieldsOf(type).length > 0;
}

function nestedCopy(type: Constructor, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => nestedCopy(type, item));
  return typeof value === 'object' && value !== null ? allowListed(type, value) : value;
}

function fieldsOf(type: Constructor): readonly [string, NestedType][] {
  const known = fieldsOfClass.get(type);
  if (known) return known;
  const chain: object[] = [];
  for (let prototype = type.prototype as object | null; prototype;) {
    chain.unshift(prototype);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  const fields = [...new Map(chain.flatMap((prototype) => [...(declared.get(prototype) ?? [])]))];
  fieldsOfClass.set(type, fields);
  return fields;
}
