/** A part of an object as an API server sends it: all fields but names can be missing. */
export type Received<T> = T extends readonly (infer TItem)[]
  ? Received<TItem>[]
  : T extends object
    ? string extends keyof T
      ? T
      : Pick<T, keyof T & 'name'> & { [TField in keyof T]?: Received<T[TField]> }
    : T;
