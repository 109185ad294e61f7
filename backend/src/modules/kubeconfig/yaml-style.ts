import {
  isMap,
  isSeq,
  visit,
  type Document,
  type Node,
  type ToStringOptions,
} from '../../core/yaml/index.js';

const KUBECTL_STYLE = { indent: 2, indentSeq: false, flowCollectionPadding: false };

/**
 * Detects indentation and padding of a document from their first use, so that writing it changes nothing else. The
 * default is the style of kubectl.
 */
export function yamlStyleOf(document: Document.Parsed, source: string): ToStringOptions {
  const found: Partial<typeof KUBECTL_STYLE> = {};
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
      // A collection over several lines has no padding.
      const [first] = source.slice(start + 1);
      if (first !== '\n' && first !== '\r') found.flowCollectionPadding ??= first === ' ';
    },
  });
  return { ...KUBECTL_STYLE, ...found, lineWidth: 0 };
}

function isFlow(value: unknown): boolean {
  return (isMap(value) || isSeq(value)) && value.flow === true;
}

function columnOf(source: string, node: Node | null): number | undefined {
  const start = node?.range?.[0];
  return start === undefined ? undefined : start - (source.lastIndexOf('\n', start - 1) + 1);
}
