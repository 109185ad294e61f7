/** An object or a part of one as an API server sends it: all fields but names and keys can be missing. */
export type Received<T> = T extends readonly (infer TItem)[]
  ? Received<TItem>[]
  : T extends object
    ? string extends keyof T
      ? T
      : Pick<T, keyof T & ('name' | 'key' | 'operator')> & {
          -readonly [TField in keyof T]?: Received<T[TField]>;
        }
    : T;
