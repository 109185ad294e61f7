import {
  Document,
  isScalar,
  visit,
  type CreateNodeOptions,
  type DocumentOptions,
  type SchemaOptions,
  type ToStringOptions,
} from 'yaml';
import { kubernetesYaml } from './kubernetes-yaml.js';

const MERGE = 'tag:yaml.org,2002:merge';

interface PrintYamlOptions extends DocumentOptions, SchemaOptions, CreateNodeOptions, ToStringOptions {}

/** Prints a value as all parsers read it: for helm, plain `yes` and `1_000` are no text, and a plain key `<<` is a merge. */
export function stringify(value: unknown, given: PrintYamlOptions = {}): string {
  const options = { ...kubernetesYaml, compat: 'yaml-1.1', ...given } as const;
  const document = new Document(value, {
    ...options,
    customTags: (tags) =>
      kubernetesYaml.customTags(tags).filter((tag) => typeof tag === 'string' || tag.tag !== MERGE),
  });
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '<<') key.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString(options);
}
