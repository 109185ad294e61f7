import { Injectable } from '@nestjs/common';
import { Configuration, userKubeconfigFiles } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import {
  contextsOfText,
  distributionOf,
  KubeconfigFiles,
  readContext,
  type ContextEntry,
  type UserContext,
  type UserContexts,
} from '../../drivers/contexts/index.js';
import { FileCache } from '../../core/storage/index.js';
import { ClustersService, type Cluster } from '../clusters/index.js';
import type { ContextDto, ContextsDto } from './external-clusters.dto.js';
import { ExternalClusterStore, type ExternalCluster } from './external-cluster.store.js';

/** Certificates have a few kB. */
const MAX_FILE_BYTES = 1_000_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Finds contexts in the user's kubeconfigs, which it never changes. Contacts no server. */
@Injectable()
export class ContextsService {
  private readonly files = new KubeconfigFiles();
  private readonly texts = new FileCache(MAX_FILE_BYTES, (text) => text);
  /** Of pasted kubeconfigs, which never change. */
  private readonly pasted = new Map<string, { addedAt: string; entry: Promise<ContextEntry> }>();

  constructor(
    private readonly configuration: Configuration,
    private readonly store: ExternalClusterStore,
    private readonly clusters: ClustersService,
  ) {}

  async list(): Promise<ContextsDto> {
    const files = userKubeconfigFiles(this.configuration);
    const { contexts, problems } = await this.files.read(files);
    const known = await this.clusters.list();
    const added = this.store.all();
    return { files, problems, contexts: contexts.map((context) => describe(context, added, known)) };
  }

  /** @throws DomainError `context_not_found` or `kubeconfig_unusable` */
  async find(name: string, file: string | undefined): Promise<UserContext & { file: string }> {
    const files = userKubeconfigFiles(this.configuration);
    const { contexts, problems } = await this.files.read(files);
    const found = contexts.find(
      (context) => context.name === name && (file ?? context.file) === context.file,
    );
    if (found && found.file !== null) return { ...found, file: found.file };
    const unreadable = problems.find((problem) => problem.file === file);
    if (unreadable) throw unusableFile(unreadable);
    const names = contexts.map((context) => context.name).slice(0, 20);
    const offered = names.length > 0 ? ` Available: ${names.join(', ')}.` : '';
    const skipped = problems.map((problem) => ` ${unusableFile(problem).message}`).join('');
    const where =
      file === undefined ? 'No file of KUBECONFIG has' : `${file} is not in KUBECONFIG or does not have`;
    throw new DomainError('context_not_found', `${where} a context ${name}.${offered}${skipped}`);
  }

  /**
   * The context of a cluster as it is now.
   * @throws DomainError `context_not_found` if it has disappeared, or `kubeconfig_unusable`
   */
  async ofCluster({ name, context, file, addedAt }: ExternalCluster): Promise<ContextEntry> {
    if (file === null) {
      const known = this.pasted.get(name);
      if (known?.addedAt === addedAt) return await known.entry;
      const read = pastedContext(this.store.kubeconfig(name) ?? '', context);
      const entry = read.then((found) => this.entryOf(found));
      this.pasted.set(name, { addedAt, entry });
      entry.catch(() => this.forget(name));
      return await entry;
    }
    const files = userKubeconfigFiles(this.configuration);
    // Its own file comes last if KUBECONFIG no longer has it.
    const { contexts, problems } = await this.files.read([...new Set([...files, file])]);
    const found = contexts.find((one) => one.name === context && one.file === file);
    if (found) return await this.entryOf(found);
    const problem = problems.find((one) => one.file === file);
    if (problem) throw unusableFile(problem);
    throw new DomainError('context_not_found', `Context ${context} is no longer in ${file}.`);
  }

  /** Of a cluster that is removed. */
  forget(name: string): void {
    this.pasted.delete(name);
  }

  /**
   * A context with the text of its certificate files: another one in the same file leads to another server or user.
   * @throws DomainError `kubeconfig_unusable`
   */
  async entryOf(context: UserContext): Promise<ContextEntry> {
    const entry = readContext(context);
    const [authority, certificate] = await Promise.all(
      [entry.authority, entry.certificate].map(async (source) => {
        if (!source || 'data' in source) return source;
        // A file that cannot be read is reported when it is used.
        const text = await this.texts.read(source.file).catch(() => undefined);
        return text === undefined ? source : { ...source, text };
      }),
    );
    return { ...entry, authority: authority ?? null, certificate: certificate ?? null };
  }
}

function unusableFile({ file, problem }: UserContexts['problems'][number]): DomainError {
  return new DomainError('kubeconfig_unusable', `Could not read ${file}: ${problem}.`);
}

/** The named context of a pasted kubeconfig, or its current or only one. @throws DomainError */
export async function pastedContext(text: string, name: string | undefined): Promise<UserContext> {
  const { contexts, current } = await contextsOfText(text);
  const wanted = name ?? (current === '' && contexts.length === 1 ? contexts[0]?.name : current);
  const found = contexts.find((context) => context.name === wanted);
  if (found) return found;
  const names = contexts.map((context) => context.name);
  throw new DomainError(
    'context_not_found',
    names.length === 0
      ? 'The kubeconfig has no context. Paste the output of: kubectl config view --raw --flatten'
      : `${wanted ? `The kubeconfig has no context ${wanted}` : 'The kubeconfig has no current context'}. Choose one of ${names.join(', ')}.`,
    { contexts: names },
  );
}

function describe(
  context: UserContext,
  added: readonly ExternalCluster[],
  known: readonly Cluster[],
): ContextDto {
  const { name, file, shadowed, userName, namespace } = context;
  let entry: ContextEntry | undefined;
  let problem: string | null = null;
  try {
    entry = readContext(context);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    problem = error.message;
  }
  return {
    context: name,
    file: file ?? '',
    shadowed,
    server: entry ? entry.server.href.replace(/\/$/, '') : null,
    user: userName,
    namespace,
    distribution: distributionOf(name, entry?.server ?? null),
    plugin: entry?.plugin?.plugin.command ?? null,
    problem,
    added_as: added.find((cluster) => cluster.context === name && cluster.file === file)?.name ?? null,
    own_cluster: (entry && ownClusterOf(name, entry.server, known)) ?? null,
  };
}

/** kind names the context of a cluster `kind-<name>`. A cluster that is stopped has no address. */
function ownClusterOf(context: string, server: URL, known: readonly Cluster[]): string | undefined {
  const own = known.find((cluster) => {
    if (cluster.external) return false;
    if (cluster.api_server !== null && new URL(cluster.api_server).port === server.port) {
      return LOOPBACK.test(server.hostname);
    }
    return context === `kind-${cluster.name}` && LOOPBACK.test(server.hostname);
  });
  return own?.name;
}
