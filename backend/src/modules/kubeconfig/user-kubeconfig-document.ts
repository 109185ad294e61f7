import { isDeepStrictEqual } from 'node:util';
import {
  isMap,
  isSeq,
  LineCounter,
  parseYaml,
  toValue,
  type Document,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from '../../core/yaml/index.js';
import { yamlStyleOf } from './yaml-style.js';

const SECTIONS = ['clusters', 'contexts', 'users'] as const;
type Section = (typeof SECTIONS)[number];

/** Our own messages for syntax errors: those of the parser quote the text, which may contain a key. */
const SYNTAX: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'has an alias that is undefined or expands to too much',
  BAD_INDENT: 'has a wrong indentation',
  DUPLICATE_KEY: 'has a duplicate key',
  MULTIPLE_DOCS: 'begins a second document',
  NON_STRING_KEY: 'has a map or a list as a key',
  RESOURCE_EXHAUSTION: 'nests too deeply or has too many values',
  TAB_AS_INDENT: 'is indented with a tab',
};

/** Why the user's file cannot be changed safely. The caller puts the file name in front of the message. */
export class UnusableKubeconfig extends Error {}

export interface KubeconfigContext {
  name: string;
  server: string | null;
  /** Base64 of PEM; null if the entry refers to a file. */
  authority: string | null;
}

/** The context, cluster and user of a Slipway cluster in a kubeconfig. */
export interface KubeconfigEntry {
  name: string;
  server: string;
  authority: string;
  user: Readonly<Record<string, unknown>>;
}

/** The content of a kubeconfig as plain data, for use across processes. */
export type KubeconfigView = Pick<
  UserKubeconfigDocument,
  'contexts' | 'currentContext' | 'names' | 'duplicates'
>;

/** A name that a section has several times, with the lines. kubectl refuses the whole file. */
export interface KubeconfigDuplicate {
  section: Section;
  name: string;
  lines: number[];
}

export type KubeconfigEdit =
  | { type: 'put'; entry: KubeconfigEntry }
  | { type: 'remove'; context: string }
  | { type: 'use'; context: string }
  /** Unsets the current context if it is this one. */
  | { type: 'leave'; context: string };

/** A result, or why the file cannot be used. */
export type KubeconfigResult<T> = { result: T } | { unusable: string };

export function readUserKubeconfig(source: string): KubeconfigResult<KubeconfigView> {
  return orUnusable(() => {
    const { contexts, currentContext, names, duplicates } = UserKubeconfigDocument.parse(source);
    return { contexts, currentContext, names, duplicates };
  });
}

export function changeUserKubeconfig(
  source: string,
  edits: readonly KubeconfigEdit[],
): KubeconfigResult<string> {
  return orUnusable(() => {
    const document = UserKubeconfigDocument.parse(source);
    for (const edit of edits) apply(document, edit);
    return document.toString();
  });
}

function orUnusable<T>(work: () => T): KubeconfigResult<T> {
  try {
    return { result: work() };
  } catch (error) {
    if (error instanceof UnusableKubeconfig) return { unusable: error.message };
    throw error;
  }
}

function apply(document: UserKubeconfigDocument, edit: KubeconfigEdit): void {
  switch (edit.type) {
    case 'put':
      document.put(edit.entry);
      break;
    case 'remove':
      document.remove(edit.context);
      break;
    case 'use':
      document.setCurrentContext(edit.context);
      break;
    case 'leave':
      if (document.currentContext === edit.context) document.setCurrentContext('');
      break;
  }
}

interface NamedItem {
  name?: unknown;
  [part: string]: unknown;
}

type Content = Record<string, unknown> & Partial<Record<Section, NamedItem[] | null>>;

/** A kubeconfig that is edited in place: keeps comments, order, style and unknown keys. */
export class UserKubeconfigDocument {
  private readonly touched: Record<Section, Set<string>> = {
    clusters: new Set(),
    contexts: new Set(),
    users: new Set(),
  };

  private constructor(
    private readonly source: string,
    private readonly document: Document,
    private readonly before: Content,
    private readonly style: ToStringOptions,
    readonly duplicates: readonly KubeconfigDuplicate[],
  ) {}

  /** @throws UnusableKubeconfig with the line, and without any part of the text */
  static parse(source: string): UserKubeconfigDocument {
    // Writing replacement characters back would destroy the original bytes.
    if (source.includes('\ufffd')) throw new UnusableKubeconfig('it is not UTF-8');
    const lines = new LineCounter();
    const document = parseYaml(source, { lines });
    const [error] = document.errors;
    if (error) {
      const { line } = lines.linePos(error.pos[0]);
      throw new UnusableKubeconfig(`line ${line} ${SYNTAX[error.code] ?? 'is not valid YAML'}`);
    }
    const content = contentOf(document);
    for (const section of isMap(document.contents) ? SECTIONS : []) {
      const list = document.get(section, true);
      if (isSeq(list) && !list.items.every(isMap)) {
        throw new UnusableKubeconfig(`${section} is not a list of named entries`);
      }
    }
    const duplicates = duplicatesIn(document, lines);
    return new UserKubeconfigDocument(source, document, content, yamlStyleOf(document, source), duplicates);
  }

  get currentContext(): string {
    const current = isMap(this.document.contents) ? this.document.get('current-context') : undefined;
    return typeof current === 'string' ? current : '';
  }

  get contexts(): KubeconfigContext[] {
    // As in kubectl, the first entry of a name is used.
    const clusters = new Map((this.before.clusters ?? []).toReversed().map((item) => [item.name, item]));
    return (this.before.contexts ?? []).map(({ name, context }) => {
      const { cluster } = (context ?? {}) as { cluster?: unknown };
      const found = clusters.get(cluster)?.['cluster'];
      const endpoint = (found ?? {}) as Record<string, unknown>;
      return {
        name: String(name),
        server: textOf(endpoint['server']),
        authority: textOf(endpoint['certificate-authority-data']),
      };
    });
  }

  /** Names in use. Excludes clusters and users without a context, which `kubectl config delete-context` leaves. */
  get names(): string[] {
    const names = (this.before.contexts ?? []).flatMap((item) => {
      const { cluster, user } = (item['context'] ?? {}) as { cluster?: unknown; user?: unknown };
      return [item.name, cluster, user];
    });
    return [...new Set(names)].filter((name) => typeof name === 'string');
  }

  /** Adds or updates an entry. Keeps other fields of an existing one. */
  put({ name, server, authority, user }: KubeconfigEntry): void {
    this.ensureContent();
    const context = inner(this.item('contexts', name), 'context');
    const clusterName = textOf(context?.get('cluster')) ?? name;
    const userName = textOf(context?.get('user')) ?? name;
    const endpoint = { 'certificate-authority-data': authority, server };
    const cluster = inner(this.item('clusters', clusterName), 'cluster');
    if (cluster) {
      for (const [key, value] of Object.entries(endpoint)) cluster.set(key, value);
      // These would contradict the new values.
      for (const key of ['certificate-authority', 'insecure-skip-tls-verify', 'tls-server-name']) {
        cluster.delete(key);
      }
      this.touched.clusters.add(clusterName);
    } else this.replace('clusters', clusterName, { cluster: endpoint, name: clusterName });
    if (context) this.touched.contexts.add(name);
    else this.replace('contexts', name, { context: { cluster: clusterName, user: userName }, name });
    this.replace('users', userName, { name: userName, user });
  }

  /** Removes a context, with its cluster and user unless another context uses them. */
  remove(name: string): void {
    const context = inner(this.item('contexts', name), 'context');
    this.drop('contexts', name);
    for (const [section, key] of [
      ['clusters', 'cluster'],
      ['users', 'user'],
    ] as const) {
      const used = textOf(context?.get(key));
      const others = this.items('contexts').map((item) => inner(item, 'context')?.get(key));
      if (used !== null && !others.includes(used)) this.drop(section, used);
    }
  }

  /** @param name empty for none, as after `kubectl config unset current-context` */
  setCurrentContext(name: string): void {
    this.ensureContent();
    this.document.set('current-context', name);
  }

  /** @throws UnusableKubeconfig if writing would change anything else in the file */
  toString(): string {
    const text = this.document.toString(this.style);
    const written = parseYaml(text);
    const after = written.errors.length > 0 ? {} : contentOf(written);
    if (!isDeepStrictEqual(this.untouched(after), this.untouched(this.before))) {
      throw new UnusableKubeconfig('its YAML cannot be changed safely');
    }
    const mark = this.source.startsWith('\ufeff') ? '\ufeff' : '';
    return mark + (/\r\n/.test(this.source) ? text.replace(/\r?\n/g, '\r\n') : text);
  }

  private untouched(content: Content): unknown {
    const isNew = Object.keys(this.before).length === 0;
    const own = isNew ? ['current-context', 'apiVersion', 'kind'] : ['current-context'];
    const others = Object.entries(content).filter(([key]) => !own.includes(key));
    return others
      .map(([key, value]) => {
        const names = Object.hasOwn(this.touched, key) ? this.touched[key as Section] : undefined;
        if (!names) return [key, value];
        const items = ((value ?? []) as NamedItem[]).filter(({ name }) => !names.has(String(name)));
        return [key, items.length === 0 ? undefined : items];
      })
      .filter(([, value]) => value !== undefined);
  }

  private ensureContent(): void {
    if (isMap(this.document.contents)) return;
    this.document.contents = this.document.createNode({
      apiVersion: 'v1',
      clusters: [],
      contexts: [],
      'current-context': '',
      kind: 'Config',
      users: [],
    });
  }

  private items(section: Section): YAMLMap[] {
    const list = isMap(this.document.contents) ? this.document.get(section, true) : undefined;
    return isSeq(list) ? list.items.filter(isMap) : [];
  }

  private item(section: Section, name: string): YAMLMap | undefined {
    return this.items(section).find((item) => item.get('name') === name);
  }

  private drop(section: Section, name: string): void {
    this.touched[section].add(name);
    const list = this.document.get(section, true);
    if (isSeq(list)) list.items = list.items.filter((item) => !isMap(item) || item.get('name') !== name);
  }

  private replace(section: Section, name: string, value: object): void {
    this.touched[section].add(name);
    const list = this.list(section);
    const node = this.document.createNode(value);
    const existing = list.items.findIndex((item) => isMap(item) && item.get('name') === name);
    if (existing < 0) list.items.push(node);
    else list.items[existing] = node;
  }

  private list(section: Section): YAMLSeq {
    const found = this.document.get(section, true);
    if (isSeq(found)) {
      // Every style writes an empty list as `[]`.
      if (found.items.length === 0) found.flow = false;
      return found;
    }
    const list = this.document.createNode([]) as YAMLSeq;
    this.document.set(section, list);
    return list;
  }
}

function contentOf(document: Document): Content {
  const content = toValue(document);
  if (content === null || content === undefined) return {};
  const { kind } = content as Record<string, unknown>;
  if (typeof content !== 'object' || Array.isArray(content) || (kind !== undefined && kind !== 'Config')) {
    throw new UnusableKubeconfig('it is not a kubeconfig');
  }
  for (const section of SECTIONS) {
    const list = (content as Record<string, unknown>)[section] ?? [];
    if (!Array.isArray(list)) throw new UnusableKubeconfig(`${section} is not a list`);
  }
  return content as Content;
}

function inner(item: YAMLMap | undefined, key: string): YAMLMap | undefined {
  const value = item?.get(key, true);
  return isMap(value) ? value : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function duplicatesIn(document: Document, lines: LineCounter): KubeconfigDuplicate[] {
  return SECTIONS.flatMap((section) => {
    const list = isMap(document.contents) ? document.get(section, true) : undefined;
    const byName = new Map<string, number[]>();
    for (const item of isSeq(list) ? list.items : []) {
      const name = isMap(item) ? textOf(item.get('name')) : null;
      if (name === null || !isMap(item)) continue;
      byName.set(name, [...(byName.get(name) ?? []), lines.linePos(item.range?.[0] ?? 0).line]);
    }
    return [...byName].flatMap(([name, all]) => (all.length > 1 ? [{ section, name, lines: all }] : []));
  });
}
