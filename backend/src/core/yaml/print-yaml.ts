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

/**
 * Prints a value so that each parser reads it again: helm, Kubernetes and YAML 1.1 take `yes`, `0X10` and `1_000` for other
 * values than text. The library alone prints a key `<<` as a merge, which drops it when the text is read.
 */
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
