import {
  Document,
  isScalar,
  visit,
  type CreateNodeOptions,
  type DocumentOptions,
  type SchemaOptions,
  type Tags,
  type ToStringOptions,
} from 'yaml';

const MERGE = 'tag:yaml.org,2002:merge';

interface PrintYamlOptions extends DocumentOptions, SchemaOptions, CreateNodeOptions, ToStringOptions {
  customTags?: (tags: Tags) => Tags;
}

/** Prints a value. The library alone prints a key `<<` as a merge, which drops it when the text is read. */
export function stringify(value: unknown, { customTags, ...options }: PrintYamlOptions = {}): string {
  const document = new Document(value, {
    ...options,
    customTags: (tags) =>
      (customTags?.(tags) ?? tags).filter((tag) => typeof tag === 'string' || tag.tag !== MERGE),
  });
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '<<') key.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString(options);
}
