import { readFileSync } from 'node:fs';
import { parseOwnJson } from '../../core/parsing/index.js';
import { parseAllYaml, toValue } from '../../core/yaml/index.js';

/** @returns a file of `recorded/`. The build copies that folder beside the bundled server. */
export function recordedText(name: string): string {
  return readFileSync(new URL(`./recorded/${name}`, import.meta.url), 'utf8');
}

export function recordedJson<Content>(name: string): Content {
  return parseOwnJson<Content>(recordedText(name));
}

/** @returns the documents of a YAML text of up to `MAX_ON_MAIN_THREAD` bytes. */
export function yamlDocuments<Content>(text: string): Content[] {
  return parseAllYaml(text).map((document) => toValue(document) as Content);
}
