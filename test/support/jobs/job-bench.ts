import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration } from '../../../backend/src/core/config/configuration.js';
import { AppLogger } from '../../../backend/src/core/logging/app-logger.js';
import { Database } from '../../../backend/src/core/storage/database.js';
import { DataDirectory } from '../../../backend/src/core/storage/data-directory.js';
import { migrations } from '../../../backend/src/core/storage/migrations.js';
import {
  ProcessRunner,
  type LeftoverProcess,
  type ProcessResult,
} from '../../../backend/src/drivers/process/process-runner.js';
import { JobStore } from '../../../backend/src/modules/jobs/job.store.js';
import { JobHandler, type JobStage } from '../../../backend/src/modules/jobs/job-handler.js';
import type { JobConclusion, OutcomeTexts } from '../../../backend/src/modules/jobs/outcome-message.js';
import { JobsService } from '../../../backend/src/modules/jobs/jobs.service.js';
import type { Job } from '../../../backend/src/modules/jobs/job.js';
import { JournalService } from '../../../backend/src/modules/journal/journal.service.js';
import { JournalStore } from '../../../backend/src/modules/journal/journal.store.js';

/** Starts nothing, and records which leftover processes it ends. */
class NoProcesses extends ProcessRunner {
  readonly ended: { leftovers: readonly LeftoverProcess[]; owners: readonly string[] }[] = [];

  locate(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  run(): Promise<ProcessResult> {
    return Promise.reject(new Error('this test starts no program'));
  }

  endLeftovers(leftovers: readonly LeftoverProcess[], owners: readonly string[]): Promise<number> {
    this.ended.push({ leftovers, owners });
    return Promise.resolve(0);
  }
}

/** A job handler that a test scripts. */
export class ScriptedHandler extends JobHandler {
  override readonly kind = 'create';
  readonly conclusions: JobConclusion[] = [];
  recoveries = 0;
  completed = false;
  recoverWith: () => Promise<boolean> = () => Promise.resolve(this.completed);
  concludeWith: () => Promise<void> = () => Promise.resolve();

  constructor(public plans: (input: unknown) => JobStage[] = () => []) {
    super();
  }

  override plan(input: unknown): JobStage[] {
    return this.plans(input);
  }

  override async conclude(_input: unknown, conclusion: JobConclusion): Promise<void> {
    this.conclusions.push(conclusion);
    await this.concludeWith();
  }

  override title(): string {
    return 'Do it';
  }

  override texts(): OutcomeTexts {
    return { succeeded: 'It succeeded.' };
  }

  override async recover(): Promise<boolean> {
    this.recoveries += 1;
    return await this.recoverWith();
  }
}

/** JobsService with its own database, which can be reopened as after a crash. */
export class JobBench {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-jobs-'));
  readonly processes = new NoProcesses();
  readonly log: string[] = [];
  database!: Database;
  store!: JobStore;
  journal!: JournalService;
  jobs!: JobsService;

  constructor(
    readonly handler: ScriptedHandler,
    private readonly environment: Record<string, string> = {},
  ) {
    this.open();
  }

  /** As after a crash, without a shutdown. */
  reopen(): void {
    this.database.close();
    this.open();
  }

  submit(cluster: string, runtime = 'docker'): Job {
    return this.jobs.submit('create', { runtime, name: cluster }, { cluster });
  }

  async close(): Promise<void> {
    await this.jobs.beforeApplicationShutdown();
    this.database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private open(): void {
    const configuration = readConfiguration({ APP_DATA_DIR: this.folder, ...this.environment });
    const logger = AppLogger.create(configuration, { write: (line: string) => void this.log.push(line) });
    this.database = Database.open(join(this.folder, 'slipway.db'), migrations);
    this.store = new JobStore(this.database);
    this.journal = new JournalService(new JournalStore(this.database));
    this.jobs = new JobsService(
      configuration,
      DataDirectory.open(configuration),
      this.store,
      this.journal,
      this.processes,
      logger,
    );
    this.jobs.register(this.handler);
  }
}
