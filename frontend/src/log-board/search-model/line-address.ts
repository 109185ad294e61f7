import type { Parameters } from '../../shared/search/log-query';

/** Query parameters of a link to a line of a source. */
export function lineAddress(key: string, seq: number): { sources: string; line: string } {
  return { sources: key, line: lineReference(key, seq) };
}

export function lineReference(key: string, seq: number): string {
  return `${key}@${seq}`;
}

/** Null for an invalid reference. */
export function parseLineReference(text: string | null): { key: string; seq: number } | null {
  const at = text?.lastIndexOf('@') ?? -1;
  const seq = Number(text?.slice(at + 1));
  return text !== null && at > 0 && Number.isSafeInteger(seq) ? { key: text.slice(0, at), seq } : null;
}

/** The query string of a page without its line or second. */
export function searchAddress(params: { keys: readonly string[] } & Pick<Parameters, 'getAll'>): string {
  const kept = params.keys.filter((name) => name !== 'line' && name !== 'at');
  return new URLSearchParams(
    kept.flatMap((name) => params.getAll(name).map((value) => [name, value])),
  ).toString();
}
