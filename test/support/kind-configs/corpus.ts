import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindConfigSchema } from '../../../backend/src/modules/kind-config/kind-config.schema.js';
import { nextDocuments } from './next-documents.js';
import { systematicConfigs } from './systematic.js';

const FOLDER = join(__dirname, '../../fixtures/kind-configs');

/** The values that kind reads from a config, or its error. */
export interface KindResult {
  error?: string;
  config?: unknown;
}

/** The results of kind for the configs, by their names. */
export interface RecordedResults {
  /** Version of kind. */
  kind: string;
  results: Record<string, KindResult>;
}

const RECORDING = join(FOLDER, 'results.json');

/** Configs as people write them, in all features of YAML, and each field in each spelling; by name. */
export function kindConfigs(): Map<string, string> {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file): [string, string] => [file, readFileSync(join(FOLDER, file), 'utf8')]);
  const syntax = readFileSync(join(FOLDER, 'syntax.txt'), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((part): [string, string] => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end + 1)];
    });
  const windows = files.map(([name, text]): [string, string] => [
    `${name} from Windows`,
    `\uFEFF${text.replaceAll('\n', '\r\n')}`,
  ]);
  const carriageReturns = files.map(([name, text]): [string, string] => [
    `${name} with lone carriage returns`,
    text.replaceAll('\n', '\r'),
  ]);
  const otherBreaks = files.flatMap(([name, text]) =>
    ['\u0085', '\u2028'].map((end, index): [string, string] => [
      `${name} with ${index === 0 ? 'U+0085' : 'U+2028'} as line breaks`,
      text.replaceAll('\n', end),
    ]),
  );
  return new Map([
    ...files,
    ...windows,
    ...carriageReturns,
    ...otherBreaks,
    ...syntax,
    ...nextDocuments(),
    ...systematicConfigs(kindConfigSchema),
  ]);
}

export function recordedResults(): RecordedResults {
  return JSON.parse(readFileSync(RECORDING, 'utf8')) as RecordedResults;
}

export const recordingPath = RECORDING;

/** A config without values that mean the same as an absent field, for comparisons. Maps of the user keep theirs. */
export function withoutZeros(value: unknown, isOwnMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutZeros(item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .map(([key, field]): [string, unknown] => [key, withoutZeros(field, OWN_MAPS.has(key))])
    .filter(([key, field]) => isOwnMap || !isZero(key, field));
  return Object.fromEntries(fields);
}

const OWN_MAPS = new Set(['labels', 'featureGates', 'runtimeConfig']);

/** An empty list of search domains differs from none. */
function isZero(key: string, value: unknown): boolean {
  if (typeof value === 'object' && value !== null) {
    return key !== 'dnsSearch' && Object.keys(value).length === 0;
  }
  return value === '' || value === 0 || value === false || value === null || value === undefined;
}
