import type { CompareNode, QueryNode } from '../../../../backend/src/core/search/index.js';

/** How a query is read, in words: `text “timeout” and not text “healthz”`. */
export function queryReading(node: QueryNode): string {
  switch (node.type) {
    case 'and':
      return node.parts
        .map((part) => (part.type === 'or' ? `(${queryReading(part)})` : queryReading(part)))
        .reduce((before, part) => $localize`${before}:condition: and ${part}:condition:`);
    case 'or':
      return node.parts
        .map(queryReading)
        .reduce((before, part) => $localize`${before}:condition: or ${part}:condition:`);
    case 'not': {
      const isList = node.part.type === 'and' || node.part.type === 'or';
      const part = isList ? `(${queryReading(node.part)})` : queryReading(node.part);
      return $localize`not ${part}:condition:`;
    }
    case 'regex':
      return $localize`regex ${node.source}:regex:`;
    case 'text':
      return $localize`text “${node.pattern.join(' … ')}:text:”`;
    case 'compare':
      return compareReading(node);
  }
}

function compareReading({ name, operator, pattern }: CompareNode): string {
  if (pattern.length > 1 && pattern.every((piece) => piece === '')) {
    return $localize`with a field ${name}:name:`;
  }
  const value = pattern.join(' … ');
  if (operator === ':') return $localize`${name}:name: contains “${value}:value:”`;
  if (operator === '=') return $localize`${name}:name: is “${value}:value:”`;
  if (operator === '!=') return $localize`${name}:name: is not “${value}:value:”`;
  return `${name} ${operator} ${value}`;
}
