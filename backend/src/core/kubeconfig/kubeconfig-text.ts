import { DomainError } from '../errors/domain-error.js';
import { pathText } from '../values/index.js';
import {
  goBoolean,
  goValue,
  isNode,
  LineCounter,
  nodeAt,
  parseGoYaml,
  stringify,
  toValue,
  visit,
  type Document,
} from '../yaml/index.js';
import {
  isKubeconfig,
  problemOf,
  type Fields,
  type Kubeconfig,
  type NamedItem,
} from './kubeconfig.schema.js';

/** Our own messages for syntax errors: those of the parser quote the text, which may contain a key. */
const SYNTAX: Readonly<Record<string, string>> = {
  BAD_DIRECTIVE: 'has a directive other than %YAML 1.1',
  BAD_DQ_ESCAPE: 'has an escape that kubectl does not know',
  BAD_ALIAS: 'has an alias that is undefined or expands to too much',
  BAD_INDENT: 'has a wrong indentation',
  NON_STRING_KEY: 'has a map or a list as a key',
  RESOURCE_EXHAUSTION: 'nests too deeply or has too many values',
  TAB_AS_INDENT: 'is indented with a tab',
};

/** A kubeconfig with its text. */
export interface ParsedKubeconfig {
  text: string;
  document: Document.Parsed;
  content: Kubeconfig;
}

/** @throws DomainError with the line, and without any part of the text, if kubectl cannot read it */
export function parseKubeconfig(text: string): ParsedKubeconfig {
  // Writing replacement characters back would destroy the original bytes.
  if (text.includes('\ufffd')) throw unusable('it is not UTF-8');
  const lines = new LineCounter();
  const lineAt = (offset = 0): string => `line ${lines.linePos(offset).line}`;
  const { document, errors } = parseGoYaml(text, {
    schema: 'failsafe',
    customTags: ['merge'],
    resolveKnownTags: false,
    uniqueKeys: false,
    lines,
  });
  const [error] = errors;
  if (error) throw unusable(`${lineAt(error.pos[0])} ${SYNTAX[error.code] ?? 'is not valid YAML'}`);
  visit(document, {
    Scalar: (key, node) => {
      if (key === 'key') return;
      const value = node.type === 'PLAIN' && node.tag === undefined ? goBoolean(node) : goValue(node);
      const isValid = value !== undefined && (typeof value !== 'number' || Number.isFinite(value));
      if (!isValid) throw unusable(`${lineAt(node.range?.[0])} has a value that JSON does not allow`);
      node.value = value;
    },
  });
  const content = toValue(document) ?? {};
  const lineOf = (path: (string | number)[]): string => {
    const node = nodeAt(document, path);
    return lineAt(isNode(node) ? node.range?.[0] : undefined);
  };
  if (!isKubeconfig(content)) {
    const { path, problem } = problemOf(content);
    if (path.length === 0) throw unusable('it is not a kubeconfig');
    // A key of digits is text.
    throw unusable(`${lineOf(path.map(String))}: ${pathText(path)} ${problem}`);
  }
  for (const section of ['clusters', 'contexts', 'users'] as const) {
    const names = (content[section] ?? []).map(nameOf);
    if (new Set(names).size === names.length) continue;
    const twice = names.find((name, index) => names.includes(name, index + 1)) ?? '';
    const found = names.flatMap((name, index) => (name === twice ? [lineOf([section, index])] : []));
    const message = `${section} has the name ${twice || '""'} more than once: ${found.join(', ')}. kubectl cannot read such a file. Remove the entries that you do not need`;
    throw new DomainError('kubeconfig_taken', message);
  }
  return { text, document, content };
}

/** The content as plain data. @throws as `parseKubeconfig` */
export function kubeconfigContent(text: string): Kubeconfig {
  return parseKubeconfig(text).content;
}

/** YAML with one context of this name. Fields without a value are left out. */
export function singleKubeconfig(name: string, cluster: Fields, user: Fields): string {
  const content = {
    apiVersion: 'v1',
    clusters: [{ cluster, name }],
    contexts: [{ context: { cluster: name, user: name }, name }],
    'current-context': name,
    kind: 'Config',
    users: [{ name, user }],
  };
  return stringify(content, { lineWidth: 0, indentSeq: false });
}

export function nameOf(item: NamedItem | null | undefined): string {
  return item?.name ?? '';
}

/** The names that a context refers to; empty for none. */
export function partsOf(item: NamedItem | null | undefined): { cluster: string; user: string } {
  const { cluster, user } = item?.context ?? {};
  return { cluster: textOf(cluster) ?? '', user: textOf(user) ?? '' };
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** For a file that cannot be used or changed safely. The caller puts the name of the file in front of the problem. */
export function unusable(problem: string): DomainError {
  return new DomainError('kubeconfig_unusable', problem);
}
