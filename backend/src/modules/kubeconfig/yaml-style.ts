import {
  isMap,
  isSeq,
  visit,
  type Document,
  type Node,
  type ToStringOptions,
} from '../../core/yaml/index.js';

/** kubectl's own: lists stand at the column of their key, and nothing has room inside its brackets. */
const KUBECTLS = { indent: 2, indentSeq: false, flowCollectionPadding: false };

/**
 * How a document is written, told from the first place of each kind, so that what is changed in it leaves the rest
 * as it was. A file that has no such place is written as kubectl would.
 * @param source the text that the document was parsed from.
 */
export function yamlStyleOf(document: Document.Parsed, source: string): ToStringOptions {
  const found: Partial<typeof KUBECTLS> = {};
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isFlow(value) || !(isSeq(value) || isMap(value))) return;
      const from = columnOf(source, key as Node | null);
      const to = columnOf(source, value);
      if (from === undefined || to === undefined) return;
      if (isSeq(value)) found.indentSeq ??= to > from;
      else if (isMap(value) && to > from) found.indent ??= to - from;
    },
    Collection: (_, node) => {
      const start = node.range?.[0];
      if (node.flow !== true || node.items.length === 0 || start === undefined) return;
      // A collection over several lines has its room in them.
      const [first] = source.slice(start + 1);
      if (first !== '\n' && first !== '\r') found.flowCollectionPadding ??= first === ' ';
    },
  });
  return { ...KUBECTLS, ...found, lineWidth: 0 };
}

function isFlow(value: unknown): boolean {
  return (isMap(value) || isSeq(value)) && value.flow === true;
}

function columnOf(source: string, node: Node | null): number | undefined {
  const start = node?.range?.[0];
  return start === undefined ? undefined : start - (source.lastIndexOf('\n', start - 1) + 1);
}
