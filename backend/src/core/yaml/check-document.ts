import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  YAMLParseError,
  type Document,
  type ErrorCode,
  type Node,
} from 'yaml';

/** Twice as deep as any schema of Kubernetes, and safe for recursion. */
export const MAX_DEPTH = 100;
/** The library searches all anchors for each alias. */
const MAX_ALIASES = 1000;
/** Maximum size of the content that aliases repeat, in characters. */
const MAX_REPEATED = 250_000;

/** The size of a node with its aliases expanded. */
interface Extent {
  length: number;
  /** Levels of collections. */
  height: number;
}

/**
 * Finds what the library accepts or checks in quadratic time: duplicate keys, collections as keys, and aliases that are
 * unresolved or repeat too much. One pass with bounded recursion.
 */
export class DocumentCheck {
  readonly errors: YAMLParseError[] = [];
  /** `open` while the node with the anchor is visited. */
  private readonly anchors = new Map<string, Extent | 'open'>();
  private readonly anchored = new Map<string, Node>();
  private aliases = 0;
  private repeated = 0;

  private constructor(private readonly uniqueKeys: boolean) {}

  static of(document: Document.Parsed, uniqueKeys: boolean): YAMLParseError[] {
    const check = new DocumentCheck(uniqueKeys);
    check.visit(document.contents, 0);
    return check.errors;
  }

  private visit(node: unknown, depth: number): Extent {
    if (isPair(node)) {
      const [key, value] = [this.visit(node.key, depth), this.visit(node.value, depth)];
      return { length: key.length + value.length, height: Math.max(key.height, value.height) };
    }
    if (!isNode(node)) return { length: 1, height: 0 };
    if (isAlias(node)) return this.follow(node.source, node, depth);
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) {
      this.anchors.set(anchor, 'open');
      this.anchored.set(anchor, node);
    }
    const extent = isCollection(node) ? this.visitItems(node, depth) : { length: lengthOf(node), height: 0 };
    if (anchor !== undefined) this.anchors.set(anchor, extent);
    return extent;
  }

  private visitItems(node: Node & { items: readonly unknown[] }, depth: number): Extent {
    if (isMap(node)) this.checkKeys(node.items);
    let [length, height] = [2, 0];
    for (const item of node.items) {
      const inner = this.visit(item, depth + 1);
      length += inner.length;
      height = Math.max(height, inner.height);
    }
    return { length, height: height + 1 };
  }

  private follow(source: string, node: Node, depth: number): Extent {
    const extent = this.anchors.get(source);
    this.aliases += 1;
    if (extent === undefined) return this.refuse(node, 'Unresolved alias (the anchor must be set before it)');
    if (extent === 'open') return this.refuse(node, 'The alias repeats the node that it is in');
    if (depth + extent.height > MAX_DEPTH) {
      return this.refuse(node, `Nests deeper than ${MAX_DEPTH} levels`, 'RESOURCE_EXHAUSTION');
    }
    this.repeated += extent.length;
    if (this.repeated > MAX_REPEATED || this.aliases > MAX_ALIASES) {
      return this.refuse(node, 'Aliases repeat the text until it is too large');
    }
    return extent;
  }

  private checkKeys(items: readonly { key: unknown; value?: unknown }[]): void {
    const seen = new Set<unknown>();
    for (const { key, value } of items) {
      if (isCollection(key)) this.refuse(key, 'A key must not be a map or a list', 'NON_STRING_KEY');
      // A merge, where the schema has them. The library throws for its source when it makes the value.
      if (isScalar(key) && typeof key.value === 'symbol') this.checkMerge(key, value);
      // Merge keys (`<<`) may repeat.
      if (!isScalar(key) || key.value === '<<' || typeof key.value === 'symbol') continue;
      const isRepeated = this.uniqueKeys && seen.has(key.value);
      if (isRepeated) this.refuse(key, 'Map keys must be unique', 'DUPLICATE_KEY');
      seen.add(key.value);
    }
  }

  private checkMerge(key: Node, value: unknown): void {
    const source = this.targetOf(value);
    const sources = isSeq(source) ? source.items.map((item) => this.targetOf(item)) : [source];
    if (!sources.every(isMap)) this.refuse(key, 'A merge (<<) needs a map or a list of maps');
  }

  private targetOf(node: unknown): unknown {
    return isAlias(node) ? this.anchored.get(node.source) : node;
  }

  private refuse({ range }: Node, message: string, code: ErrorCode = 'BAD_ALIAS'): Extent {
    this.errors.push(new YAMLParseError([range?.[0] ?? 0, range?.[1] ?? 0], code, message));
    return { length: 1, height: 0 };
  }
}

function lengthOf({ range }: Node): number {
  return range ? range[1] - range[0] : 1;
}
