import { homedir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { TarWriter } from '../../../core/archive/index.js';
import { Configuration, readProject, variables } from '../../../core/config/index.js';
import { reasonOf } from '../../../core/errors/index.js';
import { AppLogger, boundText } from '../../../core/logging/index.js';
import { processUserName } from '../../../core/security/index.js';
import { ClustersService, ClusterStore, type ClusterMeta } from '../../clusters/index.js';
import { JobsService, presentJob } from '../../jobs/index.js';
import { JournalService } from '../../journal/index.js';
import { VersionsService } from '../../versions/index.js';
import { DiagnosticsService } from '../checks/diagnostics.service.js';
import { withoutCredentials } from '../checks/proxy-check.js';
import type { BundleFileDto } from './bundle.dto.js';
import { scrub, scrubConfig, scrubLines, scrubLog, scrubRecord, type Owner } from './scrub.js';

const JOBS = 30;
const JOURNAL_ENTRIES = 200;
const MAX_JOB_LOG = 300_000;
interface Part {
  path: string;
  /** Text, or a record to write as JSON. */
  content: unknown;
  /** For texts of others, or of lines with a prefix. */
  scrub?: (text: string, owner: Owner) => string;
}

/** Collects the state and history of the installation for support, without secrets. */
@Injectable()
export class SupportBundleService {
  private shown: BundleFileDto[] | undefined;

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

  /** @returns the files as they would be saved now. `save(true)` saves these. */
  async show(): Promise<BundleFileDto[]> {
    this.shown = await this.collect();
    return this.shown;
  }

  /** @param asShown saves the files that were shown last, so that what was reviewed is what is saved. */
  async save(asShown: boolean): Promise<{ name: string; content: Buffer }> {
    const files = (asShown ? this.shown : undefined) ?? (await this.collect());
    const at = new Date();
    const name = `slipway-support-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z`;
    return { name: `${name}.tar.gz`, content: await createArchive(name, files, at) };
  }

  private async collect(): Promise<BundleFileDto[]> {
    const owner = this.owner();
    const files: BundleFileDto[] = [];
    for (const part of await this.parts()) {
      const text = textOf(part, owner);
      files.push({ path: part.path, text, replaced: replacedIn(text) });
      // There may be 100 files of about 10 ms each.
      await setImmediate();
    }
    const readme = { path: 'README.txt', text: readmeText(files), replaced: 0 };
    return [readme, ...files];
  }

  private async parts(): Promise<Part[]> {
    const jobs = this.jobs.list().slice(0, JOBS);
    return [
      ...(await this.tryRead('system.json', () => Promise.resolve(this.system()))),
      ...(await this.tryRead('diagnostics.json', () => this.diagnostics.read())),
      ...(await this.tryRead('versions.json', () => this.versions.read())),
      ...(await this.tryRead('configuration.json', () => Promise.resolve(this.settings()))),
      ...(await this.tryRead('clusters.json', () => this.clusters.list())),
      ...(await this.savedClusters()),
      { path: 'jobs.json', content: jobs.map((job) => presentJob({ ...job, actor: null })) },
      ...(await this.jobLogs(jobs)),
      { path: 'journal.json', content: await this.journalEntries() },
      { path: 'server.log', content: this.logger.recent(), scrub: scrubLog },
    ];
  }

  /** Support needs no names and addresses, so actors are reduced to their kinds. */
  private async journalEntries(): Promise<object[]> {
    const { entries } = await this.journal.recent({}, JOURNAL_ENTRIES, 0);
    return entries.map((entry) => ({ ...entry, actor: entry.actor?.kind ?? null }));
  }

  /** An error becomes a file of the bundle. */
  private async tryRead(path: string, read: () => Promise<unknown>): Promise<Part[]> {
    try {
      return [{ path, content: await read() }];
    } catch (error) {
      return [{ path: `${path}.error.txt`, content: `${reasonOf(error)}\n` }];
    }
  }

  /** Configs, metadata and provision logs, but no kubeconfigs, which are credentials. */
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
      ...(config === undefined
        ? []
        : [{ path: `${folder}/cluster.yaml`, content: config, scrub: scrubConfig }]),
      ...(log === undefined ? [] : [{ path: `${folder}/provision_log.json`, content: log }]),
    ];
  }

  private async jobLogs(jobs: readonly { id: number }[]): Promise<Part[]> {
    const parts: Part[] = [];
    for (const { id } of jobs) {
      parts.push({ path: `jobs/${id}.log`, content: this.logOf(id), scrub: (text) => text });
      await setImmediate();
    }
    return parts;
  }

  private logOf(id: number): string {
    const log = this.jobs.log(id);
    const texts = scrubLines(
      log.map(({ text }) => text),
      this.owner(),
    );
    const lines = log.map(({ time, kind }, index) => `${time} ${kind} ${texts[index] ?? ''}\n`);
    return boundText(lines.join(''), MAX_JOB_LOG);
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

  /** The environment variables that are set. Secrets are only listed by name. */
  private settings(): object {
    const { environment } = this.configuration;
    const used = Object.values(variables).filter(({ name }) => (environment[name] ?? '') !== '');
    const isSecret = ({ secret }: { secret?: boolean }): boolean => secret === true;
    return {
      set: Object.fromEntries(
        used
          .filter((variable) => !isSecret(variable))
          .map(({ name }) => [name, withoutCredentials(environment[name] ?? '')]),
      ),
      set_without_value: used.filter(isSecret).map(({ name }) => name),
    };
  }

  private owner(): Owner {
    return { home: this.configuration.environment['HOME'] ?? homedir(), user: processUserName() };
  }
}

async function createArchive(folder: string, files: readonly BundleFileDto[], at: Date): Promise<Buffer> {
  const writer = new TarWriter(at);
  const archive = buffer(writer.stream);
  for (const { path, text } of files) await writer.text(`${folder}/${path}`, text);
  writer.end();
  return await archive;
}

function textOf({ content, scrub: clean = scrub }: Part, owner: Owner): string {
  if (typeof content === 'string') return clean(content, owner);
  return `${JSON.stringify(scrubRecord(content, owner), null, 2)}\n`;
}

/** Number of values that were replaced. */
function replacedIn(text: string): number {
  return text.match(/<(?:text|list|map|number|key)[,>]|removed\]/g)?.length ?? 0;
}

function readmeText(files: readonly BundleFileDto[]): string {
  return [
    'Slipway support bundle: state and history of this installation.',
    '',
    'Not included: kubeconfigs, passwords, tokens, private keys, proxy credentials, your home directory.',
    'Of configs, only values that are known to be harmless are kept; of others, the type and length. In logs, secrets',
    'are found by their notation. Review the files before you share them.',
    '',
    ...files.map(({ path }) => `  ${path}`),
    '',
  ].join('\n');
}
