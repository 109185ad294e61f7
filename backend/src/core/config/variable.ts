/** Context of a parser: some defaults depend on the platform. */
export interface VariableContext {
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
}

/** The message of the error that `parse` throws completes the sentence "NAME …". */
export interface Variable<TValue> {
  name: string;
  meaning: string;
  /** The default value as text; empty if there is no default. */
  fallback: string;
  example: string;
  /** Whether messages must never contain the value. */
  secret?: boolean;
  /** Whether messages must not contain an invalid value, which may be a misplaced secret. */
  besideSecrets?: boolean;
  /** Whether the value may contain a secret, such as a password in a URL. */
  mayHaveSecret?: boolean;
  /** Whether leading and trailing spaces belong to the value. */
  verbatim?: boolean;
  parse: (text: string, context: VariableContext) => TValue;
}

/** A variable without a default, unless it has one. */
export function variable<TValue>(
  definition: Omit<Variable<TValue>, 'fallback'> & { fallback?: string },
): Variable<TValue> {
  return { fallback: '', ...definition };
}
