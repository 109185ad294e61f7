export type YamlType = 'null' | 'boolean' | 'integer' | 'number' | 'string';

const NULL = /^(?:~|[Nn]ull|NULL|)$/;
/** In lower case, upper case, and with a capital. */
const BOOLEANS = new Set(
  ['y', 'n', 'yes', 'no', 'true', 'false', 'on', 'off'].flatMap((word) => [
    word,
    word.toUpperCase(),
    word.charAt(0).toUpperCase() + word.slice(1),
  ]),
);
const INTEGER = /^[-+]?(?:\d[\d_]*|0x[\da-fA-F_]+|0b[01_]+|0o[0-7]+)$/;
const NUMBER =
  /^[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?$|^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/;

/** The type of a plain scalar in the YAML 1.1 that Kubernetes reads, where `yes` is a boolean. */
export function typeOfPlain(text: string): YamlType {
  if (NULL.test(text)) return 'null';
  if (BOOLEANS.has(text)) return 'boolean';
  if (INTEGER.test(text)) return 'integer';
  return NUMBER.test(text) ? 'number' : 'string';
}

/** The text of a quoted or plain scalar; undefined if it has escapes that are not JSON's. */
export function scalarText(source: string): string | undefined {
  if (source.startsWith("'")) return source.slice(1, -1).replaceAll("''", "'");
  if (!source.startsWith('"')) return source;
  try {
    return JSON.parse(source) as string;
  } catch {
    return undefined;
  }
}
