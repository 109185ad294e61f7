import { editYaml, parseGoYaml, stringify, withEdit, type Edit } from '../../core/yaml/index.js';
import { AS_TEXT, KindConfigDecoder } from './decode-kind-config.js';
import type { KindConfig } from './kind-config.js';
import { kindConfigSchema } from './kind-config.schema.js';

type Path = (string | number)[];

/** A change can also change what is read from its aliases, which then get values of their own. */
const MAX_ROUNDS = 10;

/** The config in a text without errors. */
export function decodeKindConfig(text: string): KindConfig {
  return decoderOf(text)?.value as KindConfig;
}

/**
 * Changes the text of a valid config where it differs from a wanted one, which has further or other fields. Every other
 * byte stays. A text whose aliases prevent that is replaced.
 */
export function editKindConfig(text: string, wanted: KindConfig): string {
  let edited = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const decoder = decoderOf(edited);
    if (!decoder) break;
    const changes = differences(wanted, decoder.value, []);
    if (changes.length === 0) return edited;
    edited = withEdits(edited, decoder, changes);
  }
  return stringify(wanted, { lineWidth: 0 });
}

function decoderOf(text: string): KindConfigDecoder | undefined {
  const { document, errors } = parseGoYaml(text, AS_TEXT);
  return errors.length === 0 ? new KindConfigDecoder(document, kindConfigSchema) : undefined;
}

function differences(wanted: unknown, present: unknown, path: Path): [Path, unknown][] {
  if (wanted === present) return [];
  const isList = Array.isArray(wanted);
  if (!isObject(wanted) || !isObject(present) || (isList && wanted.length !== Object.keys(present).length)) {
    return [[path, wanted]];
  }
  return Object.entries(wanted).flatMap(([key, value]) =>
    differences(value, present[key], [...path, isList ? Number(key) : key]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function withEdits(text: string, decoder: KindConfigDecoder, changes: [Path, unknown][]): string {
  // Aliases of a map have the same edits.
  const edits = new Map<string, Edit>();
  for (const [path, value] of changes) {
    const edit = editYaml(text, decoder.nodeOf(path.slice(0, -1)), String(path.at(-1)), value);
    edits.set(JSON.stringify(edit), edit);
  }
  // From the end, and of several at one place the first one last, so that it comes first.
  return [...edits.values()]
    .reverse()
    .sort((one, other) => other.start - one.start)
    .reduce(withEdit, text);
}
