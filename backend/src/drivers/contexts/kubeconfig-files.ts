import { dirname, resolve } from 'node:path';
import { DomainError, fileFailure, reasonOf } from '../../core/errors/index.js';
import { FileCache } from '../../core/storage/index.js';
import type { Fields, Kubeconfig, NamedItem, Section } from '../../core/kubeconfig/index.js';
import { nameOf, textOf } from '../../core/kubeconfig/index.js';
import { contextYaml } from './context-process.js';

/** Kubeconfigs with a hundred contexts have about 1 MB. */
const MAX_BYTES = 4_000_000;

/** A context, and what it refers to. */
export interface UserContext {
  name: string;
  /** Absolute; null for a pasted kubeconfig. */
  file: string | null;
  /** Relative paths in the kubeconfig start here; null if it may have no paths. */
  folder: string | null;
  /** Whether kubectl finds the context of this name in an earlier file. */
  shadowed: boolean;
  namespace: string | null;
  clusterName: string;
  userName: string;
  /** The entry of the cluster; null if no file has it. */
  cluster: Fields | null;
  /** The entry of the user; null if no file has it, or without one. Has credentials. */
  user: Fields | null;
}

export interface UserContexts {
  contexts: UserContext[];
  /** Files that exist, but cannot be read. */
  problems: { file: string; problem: string }[];
}

interface Source {
  file: string | null;
  content: Kubeconfig;
}

/** The contexts of several kubeconfigs, which are read again when they change. */
export class KubeconfigFiles {
  private readonly cache = new FileCache(MAX_BYTES, contextYaml.kubeconfigContent);
  /** The last result for each list of files. */
  private readonly merged = new Map<string, { sources: readonly Source[]; contexts: UserContext[] }>();

  /** @param files in kubectl's order. A file that does not exist has no contexts, as for kubectl. */
  async read(files: readonly string[]): Promise<UserContexts> {
    const problems: UserContexts['problems'] = [];
    const sources = await Promise.all(
      files.map(async (path): Promise<Source[]> => {
        const file = resolve(path);
        try {
          const content = await this.cache.read(file);
          return content ? [{ file, content }] : [];
        } catch (error) {
          const problem =
            error instanceof DomainError ? error.message : (fileFailure(error) ?? reasonOf(error));
          problems.push({ file, problem });
          return [];
        }
      }),
    );
    return { contexts: this.contextsOf(files.join('\0'), sources.flat()), problems };
  }

  private contextsOf(key: string, sources: readonly Source[]): UserContext[] {
    const known = this.merged.get(key);
    const isSame =
      known?.sources.length === sources.length &&
      known.sources.every(({ content }, index) => content === sources[index]?.content);
    if (isSame) return known.contexts;
    const contexts = contextsOf(sources);
    this.merged.set(key, { sources, contexts });
    return contexts;
  }
}

/** The contexts of a kubeconfig that is no file, with inline data only. @throws DomainError `kubeconfig_unusable` */
export async function contextsOfText(text: string): Promise<{ contexts: UserContext[]; current: string }> {
  const content = await contextYaml.kubeconfigContent(text);
  return { contexts: contextsOf([{ file: null, content }]), current: content['current-context'] ?? '' };
}

/** A kubeconfig with one context only. Has credentials. */
export function textOfContext({
  name,
  namespace,
  clusterName,
  userName,
  cluster,
  user,
}: UserContext): string {
  return JSON.stringify({
    contexts: [{ name, context: { cluster: clusterName, user: userName, namespace: namespace ?? '' } }],
    clusters: cluster ? [{ name: clusterName, cluster }] : [],
    users: user ? [{ name: userName, user }] : [],
  });
}

/**
 * A context that kubectl would find has the cluster and user of the first file that has one of that name, as kubectl merges
 * files. A shadowed context has those of its own file, as with `kubectl --kubeconfig`.
 */
function contextsOf(sources: readonly Source[]): UserContext[] {
  const seen = new Set<string>();
  return sources.flatMap((own) =>
    (own.content.contexts ?? []).flatMap((item): UserContext[] => {
      const name = nameOf(item);
      const fields = item?.context;
      if (!fields) return [];
      const shadowed = seen.has(name);
      seen.add(name);
      const places = shadowed ? [own] : sources;
      const clusterName = textOf(fields['cluster']) ?? '';
      const userName = textOf(fields['user']) ?? '';
      const namespace = textOf(fields['namespace']);
      const cluster = entryOf(places, 'clusters', clusterName);
      return [
        {
          name,
          file: own.file,
          folder: own.file === null ? null : dirname(cluster?.source.file ?? own.file),
          shadowed,
          namespace: namespace === '' ? null : namespace,
          clusterName,
          userName,
          cluster: withPaths(cluster?.item.cluster, cluster?.source.file),
          user: userOf(places, userName),
        },
      ];
    }),
  );
}

function userOf(places: readonly Source[], name: string): Fields | null {
  const found = entryOf(places, 'users', name);
  return withPaths(found?.item.user, found?.source.file);
}

function entryOf(
  places: readonly Source[],
  section: Section,
  name: string,
): { item: NamedItem; source: Source } | undefined {
  for (const source of places) {
    const item = source.content[section]?.find((each) => nameOf(each) === name);
    if (item) return { item, source };
  }
  return undefined;
}

/** Fields with a path, which is relative to the file. */
const PATHS = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

function withPaths(fields: Fields | null | undefined, file: string | null | undefined): Fields | null {
  if (!fields) return null;
  if (file === null || file === undefined) return fields;
  const absolute = PATHS.flatMap((field): [string, string][] => {
    const path = textOf(fields[field]);
    return path === null || path === '' ? [] : [[field, resolve(dirname(file), path)]];
  });
  // A command with a slash is relative to the file too.
  return { ...fields, ...Object.fromEntries(absolute), folder: dirname(file) };
}
