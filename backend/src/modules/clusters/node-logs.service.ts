import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { create as createArchive } from 'tar';
import { DomainError, reasonOf } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { CommandError } from '../../drivers/process/index.js';
import { ProvisionerSelector } from '../../drivers/provisioner/index.js';
import { RuntimeRegistry } from '../../drivers/runtime/index.js';
import { assertAnswers } from './assert-answers.js';
import type { Cluster } from './cluster.js';
import { ClustersService } from './clusters.service.js';

/** The logs of a cluster's nodes, collected when they are asked for. */
@Injectable()
export class NodeLogsService {
  private readonly logger: AppLogger;
  /** Clusters whose logs are being collected: kind copies whole folders out of every node. */
  private readonly collecting = new Set<string>();

  constructor(
    private readonly clusters: ClustersService,
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    logger: AppLogger,
  ) {
    this.logger = logger.child({ context: NodeLogsService.name });
  }

  /** The nodes' logs as a gzipped tar. @throws DomainError `logs_not_found` or `cluster_busy` */
  async archive(name: string, runtime?: string): Promise<Readable> {
    const cluster = await this.clusters.get(name, runtime);
    if (cluster.nodes.length === 0) {
      throw new DomainError('logs_not_found', `${name} has no nodes, and so no logs.`);
    }
    const key = `${cluster.runtime}/${name}`;
    if (this.collecting.has(key)) {
      throw new DomainError(
        'cluster_busy',
        `The logs of ${name} are being collected already. Wait until that is done.`,
      );
    }
    this.collecting.add(key);
    const folder = join(tmpdir(), `slipway-${randomBytes(8).toString('hex')}`);
    const clean = async (): Promise<void> => {
      this.collecting.delete(key);
      await rm(folder, { recursive: true, force: true });
    };
    try {
      await mkdir(folder, { mode: 0o700 });
      await this.collect(cluster, folder);
    } catch (cause) {
      await clean();
      if (cause instanceof DomainError) throw cause;
      throw new DomainError(
        'cluster_unreachable',
        `The logs of ${name} could not be collected: ${reasonOf(cause)}.`,
        undefined,
        { cause },
      );
    }
    const archive = new PassThrough();
    void pipeline(createArchive({ gzip: true, cwd: folder, portable: true }, ['.']), archive)
      .catch((error: unknown) => this.logger.failure(`the logs of ${name} could not be sent`, error))
      .finally(clean);
    return archive;
  }

  /**
   * A node that does not run gives no logs, and kind fails over it after it has collected the others'.
   * What is there is what one came for, so it is handed out with a word on what is not.
   */
  private async collect({ name, runtime }: Cluster, folder: string): Promise<void> {
    const driver = this.runtimes.get(runtime);
    await assertAnswers(driver);
    try {
      await this.provisioners.for(driver).exportLogs(name, driver, folder);
    } catch (error) {
      const collected = await readdir(folder);
      if (!(error instanceof CommandError) || collected.length === 0) throw error;
      await writeFile(join(folder, 'not-collected.txt'), `${error.message}\n\n${error.stderr}\n`);
    }
  }
}
