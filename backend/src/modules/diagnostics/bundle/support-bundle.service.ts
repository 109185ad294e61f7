import { homedir, userInfo } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Configuration, readProject, variables } from '../../../core/config/index.js';
import { reasonOf } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { ClustersService, ClusterStore, type ClusterMeta } from '../../clusters/index.js';
import { JobsService, presentJob } from '../../jobs/index.js';
import { JournalService } from '../../journal/index.js';
import { VersionsService } from '../../versions/index.js';
import { DiagnosticsService } from '../diagnostics.service.js';
import { bare } from '../proxy-check.js';
import { archiveOf, type ArchiveFile } from './archive.js';
import { scrub, scrubRecord, withoutSecretValues, type Owner } from './scrub.js';

const JOBS = 30;
const JOURNAL_ENTRIES = 200;
/** The end of a longer text: what went wrong stands there. */
const MAX_TEXT = 300_000;

/** A file to be: text as it is, or a record. */
interface Part {
  path: string;
  content: unknown;
}

/** What one hands to somebody who is to help: how this machine stands and what happened, without secrets. */
@Injectable()
export class SupportBundleService {
  constructor(
    private readonly configuration: Configuration,
    private readonly diagnostics: DiagnosticsService,
    private readonly versions: VersionsService,
    private readonly clusters: ClustersService,
    private readonly store: ClusterStore,
    private readonly jobs: JobsService,
    private readonly journal: JournalService,
    private readonly logger: AppLogger,
  ) {}

  async collect(): Promise<{ name: string; content: Buffer }> {
    const at = new Date();
    const name = `slipway-support-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z`;
    const owner = this.owner();
    const files: ArchiveFile[] = [];
    for (const { path, content } of await this.parts()) {
      files.push({ path, text: textOf(content, owner) });
      // Each takes some ten milliseconds, and there may be a hundred.
      await setImmediate();
    }
    const contents: ArchiveFile = { path: 'README.txt', text: describeContents(files) };
    return { name: `${name}.tar.gz`, content: await archiveOf(name, [contents, ...files], at) };
  }

  private async parts(): Promise<Part[]> {
    const jobs = this.jobs.list().slice(0, JOBS);
    return [
      ...(await this.asked('system.json', () => Promise.resolve(this.system()))),
      ...(await this.asked('diagnostics.json', () => this.diagnostics.read())),
      ...(await this.asked('versions.json', () => this.versions.read())),
      ...(await this.asked('configuration.json', () => Promise.resolve(this.settings()))),
      ...(await this.asked('clusters.json', () => this.clusters.list())),
      ...(await this.savedClusters()),
      { path: 'jobs.json', content: jobs.map((job) => presentJob({ ...job, actor: null })) },
      ...(await this.jobLogs(jobs)),
      { path: 'journal.json', content: await this.journalEntries() },
      { path: 'server.log', content: this.logger.recent() },
    ];
  }

  /** Who did what, and from which address, is not for whoever is to help: of actors their kinds alone. */
  private async journalEntries(): Promise<object[]> {
    const { entries } = await this.journal.recent({}, JOURNAL_ENTRIES, 0);
    return entries.map((entry) => ({ ...entry, actor: entry.actor?.kind ?? null }));
  }

  /** A part that cannot be had must not cost the others: what is broken is what the bundle is for. */
  private async asked(path: string, read: () => Promise<unknown>): Promise<Part[]> {
    try {
      return [{ path, content: await read() }];
    } catch (error) {
      return [{ path: `${path}.error.txt`, content: `${reasonOf(error)}\n` }];
    }
  }

  /** Configs, metas and provision logs. Never a kubeconfig: those are credentials and nothing else. */
  private async savedClusters(): Promise<Part[]> {
    const metas = await this.store.list().catch(() => []);
    return (await Promise.all(metas.map((meta) => this.savedCluster(meta)))).flat();
  }

  private async savedCluster(meta: ClusterMeta): Promise<Part[]> {
    const folder = `clusters/${meta.name}@${meta.runtime}`;
    const [config, log] = await Promise.all([
      this.store.readConfig(meta).catch(() => undefined),
      this.store.readProvisionLog(meta),
    ]);
    return [
      { path: `${folder}/meta.json`, content: meta },
      ...(config === undefined ? [] : [{ path: `${folder}/cluster.yaml`, content: config }]),
      ...(log === undefined ? [] : [{ path: `${folder}/provision_log.json`, content: log }]),
    ];
  }

  private async jobLogs(jobs: readonly { id: number }[]): Promise<Part[]> {
    const parts: Part[] = [];
    for (const { id } of jobs) {
      parts.push({ path: `jobs/${id}.log`, content: this.logOf(id) });
      await setImmediate();
    }
    return parts;
  }

  private logOf(id: number): string {
    const log = this.jobs.log(id);
    const texts = withoutSecretValues(log.map(({ text }) => text));
    return log.map(({ time, kind }, index) => `${time} ${kind} ${texts[index] ?? ''}\n`).join('');
  }

  private system(): object {
    return {
      slipway: readProject().version,
      node: process.version,
      platform: this.configuration.platform,
      architecture: process.arch,
      uptime_seconds: Math.round(process.uptime()),
      collected_at: new Date().toISOString(),
    };
  }

  /** What was set, by the variables' own names; of secrets, that they were. */
  private settings(): object {
    const { environment } = this.configuration;
    const given = Object.values(variables).filter(({ name }) => (environment[name] ?? '') !== '');
    const isSecret = ({ secret }: { secret?: boolean }): boolean => secret === true;
    return {
      set: Object.fromEntries(
        given
          .filter((variable) => !isSecret(variable))
          .map(({ name }) => [name, bare(environment[name] ?? '')]),
      ),
      secrets_that_are_set: given.filter(isSecret).map(({ name }) => name),
    };
  }

  private owner(): Owner {
    const home = this.configuration.environment['HOME'] ?? homedir();
    try {
      return { home, user: userInfo().username };
    } catch {
      // A user whom the system does not know, as in some containers.
      return { home, user: '' };
    }
  }
}

function textOf(content: unknown, owner: Owner): string {
  return typeof content === 'string'
    ? scrub(shortened(content), owner)
    : `${JSON.stringify(scrubRecord(content, owner), null, 2)}\n`;
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `[begins later]\n${text.slice(-MAX_TEXT)}` : text;
}

function describeContents(files: readonly ArchiveFile[]): string {
  return [
    'What Slipway knows of this machine and of what happened on it, for somebody who is to help.',
    '',
    'Not in it: kubeconfigs, passwords, tokens, private keys, proxy sign-ins, your home directory.',
    'They were removed by their looks: read it through before you hand it on.',
    '',
    ...files.map(({ path }) => `  ${path}`),
    '',
  ].join('\n');
}
