/** An object of JSON. */
export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same whatever the order in which fields were written. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [two]) => (one < two ? -1 : 1))
      .map(([field, content]) => [field, sorted(content)]),
  );
}

/** A copy without some of its fields. */
export function without<Value extends object, Field extends string>(
  value: Value,
  ...fields: readonly Field[]
): Omit<Value, Field> {
  const names: readonly string[] = fields;
  return Object.fromEntries(Object.entries(value).filter(([field]) => !names.includes(field))) as Omit<
    Value,
    Field
  >;
}

/** Lists whose items have names of their own, by the field that holds them; all others are one value. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  volumes: ['name'],
  env: ['name'],
  imagePullSecrets: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  hostAliases: ['ip'],
  conditions: ['type'],
  addresses: ['type'],
  ownerReferences: ['uid'],
  secrets: ['name'],
  volumeClaimTemplates: [],
};

/**
 * What tells the items of a list apart, as the API's schema has it; undefined for one that is replaced as a
 * whole. Ports are those of a container or of a service.
 */
export function mergeKeys(field: string, items: readonly unknown[]): readonly string[] | undefined {
  if (items.length === 0 || !items.every(isFields)) return undefined;
  if (field === 'ports') {
    if (items.every((item) => 'containerPort' in item)) return ['containerPort', 'protocol'];
    return items.every((item) => 'port' in item) ? ['port', 'protocol'] : undefined;
  }
  const keys = KEYS[field];
  if (keys === undefined || keys.length === 0) return undefined;
  return items.every((item) => keys.every((key) => key in item)) ? keys : undefined;
}

/** The name of an item among those of its list. */
export function itemKey(item: Fields, keys: readonly string[]): string {
  return JSON.stringify(
    Object.fromEntries(keys.map((key) => [key, item[key] ?? (key === 'protocol' ? 'TCP' : null)])),
  );
}
