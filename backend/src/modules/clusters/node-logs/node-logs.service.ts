import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { escapesRoot, readTar, TarWriter, type ArchiveLimits } from '../../../core/archive/index.js';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import {
  assertAvailable,
  type NodeContainer,
  type RuntimeDriver,
  RuntimeRegistry,
} from '../../../drivers/runtime/index.js';
import { JournalService } from '../../journal/index.js';
import { ClustersService } from '../inventory/clusters.service.js';

/** Log files of a node: those of containers by Pod, and those of services without a journal. */
const LOG_FOLDER = '/var/log';
/** The binary files of the journal, which `journalctl` reads, and links into `pods`. */
const SKIPPED = /^(journal|containers)(\/|$)/;
/** Limits for the files of a node. The kubelet keeps up to 50 MB per container. */
const LIMITS: ArchiveLimits = { entries: 20_000, bytes: 2_000_000_000, milliseconds: 120_000 };
const LINES = 20_000;
const PROGRAM_MS = 30_000;
/** Limits for the log of a node's container, which a hostile node can write without end. A boot log is far smaller. */
const SERIAL_LIMITS = { bytes: 20_000_000, milliseconds: 30_000 };
/** The engine follows the log without marking its current end. A pause this long counts as the end. */
const PAUSE_MS = 1000;

/** Text files of a running node, and the commands that print them. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  'kubelet.log': ['journalctl', '--no-pager', `--lines=${LINES}`, '--unit=kubelet'],
  'containerd.log': ['journalctl', '--no-pager', `--lines=${LINES}`, '--unit=containerd'],
  'journal.log': ['journalctl', '--no-pager', `--lines=${LINES}`],
  'images.log': ['crictl', 'images'],
};

/**
 * Collects the logs of the nodes of a cluster through the engine. Streams them into the response without unpacking:
 * `kind export logs` unpacks a tar file that an untrusted program in the node creates.
 */
@Injectable()
export class NodeLogsService {
  private readonly collecting = new Set<string>();

  constructor(
    private readonly clusters: ClustersService,
    private readonly runtimes: RuntimeRegistry,
    private readonly journal: JournalService,
    private readonly logger: AppLogger,
  ) {}

  /**
   * A gzipped tar file with a folder for each node. `not-collected.txt` lists what could not be collected.
   * @throws DomainError `logs_not_found`, `cluster_busy` or `runtime_unavailable`
   */
  async archive(name: string, runtime?: string): Promise<Readable> {
    const cluster = await this.clusters.get(name, runtime);
    if (cluster.nodes.length === 0) {
      throw new DomainError('logs_not_found', `${name} has no nodes.`);
    }
    const key = `${cluster.runtime}/${name}`;
    if (this.collecting.has(key)) {
      throw new DomainError(
        'cluster_busy',
        `The logs of ${name} are already being collected. Wait until that has finished.`,
      );
    }
    this.collecting.add(key);
    try {
      const driver = this.runtimes.get(cluster.runtime);
      await assertAvailable(driver);
      const nodes = (await driver.listNodes()).filter((node) => node.cluster === name);
      this.journal.record({
        kind: 'node-logs',
        cluster: name,
        runtime: cluster.runtime,
        message: `The node logs of ${name} were downloaded.`,
      });
      const collection = new Collection(driver);
      void collection
        .collect(nodes)
        .catch((error: unknown) => this.logger.failure(`could not collect the node logs of ${name}`, error))
        .finally(() => this.collecting.delete(key));
      return collection.stream;
    } catch (error) {
      this.collecting.delete(key);
      throw error;
    }
  }
}

class Collection {
  private readonly writer = new TarWriter();
  private readonly closed = new AbortController();
  private readonly missing: string[] = [];

  constructor(private readonly driver: RuntimeDriver) {
    this.stream.once('close', () => this.closed.abort());
  }

  get stream(): Readable {
    return this.writer.stream;
  }

  async collect(nodes: readonly NodeContainer[]): Promise<void> {
    for (const node of nodes) {
      await this.writer.text(`${node.name}/container.json`, `${JSON.stringify(node, null, 2)}\n`);
      await this.text(node, 'serial.log', () => this.serialLog(node));
      const files = await this.files(node);
      for (const [file, command] of node.state === 'running' ? Object.entries(PROGRAMS) : []) {
        if (!files.has(file)) await this.text(node, file, () => this.printed(node, command));
      }
    }
    if (this.missing.length > 0) {
      await this.writer.text('not-collected.txt', this.missing.map((line) => `${line}\n`).join(''));
    }
    this.writer.end();
  }

  /** Lists a failure in `not-collected.txt`. @throws Error if the client closed the archive. */
  private async attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.closed.signal.aborted) throw error;
      this.missing.push(`${what}: ${reasonOf(error)}`);
    }
  }

  private async text({ name }: NodeContainer, file: string, read: () => Promise<string>): Promise<void> {
    const path = `${name}/${file}`;
    await this.attempt(path, async () => this.writer.text(path, await read()));
  }

  private async printed({ id }: NodeContainer, command: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.driver.execInNode(id, command, PROGRAM_MS);
    if (exitCode !== 0) {
      throw new Error(`${command[0] ?? ''} ended with ${exitCode}: ${stderr.slice(0, 500)}`);
    }
    return stdout;
  }

  /** The log of the node's container, which shows how the node booted. */
  private async serialLog({ id, name }: NodeContainer): Promise<string> {
    const { logs } = this.driver;
    const format = await logs.format(id);
    if (format.unreadable !== null) throw new Error(format.unreadable);
    const paused = new AbortController();
    const signal = AbortSignal.any([paused.signal, this.closed.signal]);
    const pieces = logs.open(id, format, { since: null, tail: LINES }, signal)[Symbol.asyncIterator]();
    const chunks: Buffer[] = [];
    const { bytes: most, milliseconds } = SERIAL_LIMITS;
    const deadline = performance.now() + milliseconds;
    let bytes = 0;
    try {
      for (;;) {
        const next = await Promise.race([pieces.next(), delay(PAUSE_MS, undefined, { signal, ref: false })]);
        if (next === undefined || next.done === true) break;
        for (const { data } of next.value) {
          chunks.push(data);
          bytes += data.length;
        }
        if (bytes < most && performance.now() < deadline) continue;
        this.missing.push(`${name}/serial.log: the rest, after ${most / 1e6} MB or ${milliseconds / 1000} s`);
        break;
      }
    } finally {
      paused.abort();
      pieces.return?.().catch(() => undefined);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  private async files({ id, name }: NodeContainer): Promise<ReadonlySet<string>> {
    const written = new Set<string>();
    let left = 0;
    await this.attempt(`${name}: files of ${LOG_FOLDER}`, async () => {
      const folder = await this.driver.nodeFolder(id, LOG_FOLDER, this.closed.signal);
      // The folder does not exist in a node that failed early.
      if (folder === undefined) return;
      await readTar(folder, { limits: LIMITS, signal: this.closed.signal }, async (entry) => {
        const { type, size, content } = entry;
        const path = entry.path.replace(/^log\//, '');
        if (type === 'Directory' || SKIPPED.test(path)) return;
        if (type !== 'File' || escapesRoot(path) || written.has(path)) {
          left += 1;
          return;
        }
        written.add(path);
        await this.writer.file(`${name}/${path}`, size, content);
      });
    });
    if (left > 0) {
      this.missing.push(
        `${name}: ${left} links and other entries of ${LOG_FOLDER} that are not regular files`,
      );
    }
    return written;
  }
}
