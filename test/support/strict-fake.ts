/** An instance of a class that has only the given members. Access to another member fails. */
export function strictFake<Type extends object>(
  type: abstract new (...args: never[]) => Type,
  members: Partial<Type>,
): Type {
  return new Proxy(Object.assign(Object.create(type.prototype as object) as Type, members), {
    get(target, name, receiver): unknown {
      // A promise looks for `then`, and Jest looks for symbols.
      if (name === 'then' || typeof name === 'symbol' || Object.hasOwn(target, name)) {
        return Reflect.get(target, name, receiver);
      }
      throw new Error(`this test expects no ${type.name}.${name}`);
    },
  });
}
