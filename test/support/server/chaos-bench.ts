import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from '@jest/globals';
import type { ClusterDto } from '../../../backend/src/modules/clusters/index.js';
import type { HealthDto } from '../../../backend/src/modules/health/index.js';
import type { JobDto, JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import type { LinePageDto } from '../../../backend/src/modules/log-search/line-page.dto.js';
import type { LogSourceDto } from '../../../backend/src/modules/log-sources/log-source.dto.js';
import { readProject } from '../../../backend/src/core/config/project.js';
import { clusterOf, createCluster, jobEnded, journalOf } from '../app/clusters.js';
import { LOG_BOARD_PASSWORD } from '../app/log-board-password.js';
import { signIn } from '../app/signed-in.js';
import type { ScriptedApiServer } from '../engine/scripted-api-server.js';
import { makeDemoCluster } from '../kubernetes/demo-cluster.js';
import { waitFor } from '../wait-for.js';
import { withServer, type ScriptedServer } from './scripted-server.js';
import { temporaryFolder } from './server-process.js';

const PRELOAD = pathToFileURL(join(readProject().root, 'test/support/server/shifted-clock.mjs')).href;
const WRITE_MS = 20;
/** Far more than a request takes, on a busy machine too. */
const PROMPT_MS = 5000;

/** Both applications, the running cluster `c` with the objects of the demo, and a container that writes all the time. */
export class Chaos {
  private bearer: { authorization: string } | undefined;
  private readonly container: string;
  private readonly writing: NodeJS.Timeout;
  private written = 0;
  private isPaused = false;

  private constructor(
    readonly server: ScriptedServer,
    readonly api: ScriptedApiServer,
    private readonly clockFile: string,
  ) {
    const { logs } = server.machine.engine('docker');
    this.container = logs.add('writer', { running: true }).id;
    this.writing = setInterval(() => {
      if (this.isPaused) return;
      this.written += 1;
      logs.write(this.container, `line ${this.written}\n`);
    }, WRITE_MS);
  }

  /** Runs a test. Afterwards, nothing may be lost, also after SIGKILL. */
  static async run(test: (chaos: Chaos) => Promise<void>): Promise<void> {
    const inside = await makeDemoCluster('c');
    const folder = await temporaryFolder();
    const clockFile = join(folder.path, 'clock');
    writeFileSync(clockFile, '0');
    try {
      await withServer(
        async (server) => {
          // The services of its nodes write nothing.
          const { programs } = server.machine.engine('docker').logs;
          for (const name of ['journalctl', 'tail']) programs.set(name, { stdout: [], running: 0 });
          await createCluster(server.client, 'c', { workers: 1 });
          const api = server.machine.kind.apiServers.get('docker/c');
          if (!api) throw new Error('there is no API server');
          api.behind = inside.world.apiServer('c');
          const chaos = new Chaos(server, api, clockFile);
          try {
            await chaos.expectLines();
            await test(chaos);
            await chaos.expectLines();
            await chaos.expectHealthy();
          } finally {
            clearInterval(chaos.writing);
          }
          await chaos.expectAllKept();
        },
        {},
        {
          APP_PASS: LOG_BOARD_PASSWORD,
          NODE_OPTIONS: `--import=${PRELOAD}`,
          TEST_CLOCK_FILE: clockFile,
        },
        [],
      );
    } finally {
      await inside.remove();
      await folder.remove();
    }
  }

  /** Sets the clock of the server. */
  shiftClock(milliseconds: number): void {
    writeFileSync(this.clockFile, String(milliseconds));
  }

  /** Lets the container write nothing until the returned function is called. */
  pause(): () => void {
    this.isPaused = true;
    return () => void (this.isPaused = false);
  }

  /** Lines per second of the container, as the log board reports it. */
  async rate(): Promise<number> {
    return (await this.source())?.rate ?? 0;
  }

  get client(): ScriptedServer['client'] {
    return this.server.client;
  }

  /** Reasons of the checks that are not ok, by name. The response must not wait for what a test breaks. */
  async wrong(): Promise<Record<string, string | null>> {
    const begin = performance.now();
    const { status, checks = [] } = await this.client.get<HealthDto>('/api/v1/health');
    expect(performance.now() - begin).toBeLessThan(PROMPT_MS);
    const wrong = checks.filter(({ ok }) => !ok).map(({ name, reason }) => [name, reason] as const);
    expect(status).toBe(wrong.length === 0 ? 'ok' : 'degraded');
    return Object.fromEntries(wrong);
  }

  /** Waits until the health reports a check with a reason. */
  async untilWrong(check: string, reason: RegExp): Promise<void> {
    let last: Record<string, string | null> = {};
    await waitFor(
      async () => {
        last = await this.wrong();
        return reason.test(last[check] ?? '');
      },
      () => `${check}: ${String(reason)} in ${JSON.stringify(last)}`,
    );
  }

  /** The status of the log board's health. */
  async boardStatus(): Promise<string> {
    return (await this.server.process.board.get<{ status: string }>('/api/health')).status;
  }

  async expectHealthy(): Promise<void> {
    await waitFor(
      async () => Object.keys(await this.wrong()).length === 0 && (await this.boardStatus()) === 'ok',
      'that all is well',
    );
    const cluster = await this.client.until<ClusterDto>(
      '/api/v1/clusters/c',
      ({ state }) => state === 'running',
    );
    expect(cluster).toMatchObject({ state_reason: null, active_job_id: null, stopped_unexpectedly: false });
  }

  /** Expects that job, journal, cluster and engine agree about the creation of `shop`. */
  async expectSettled(id: number): Promise<JobWithLogDto> {
    const { client } = this;
    const job = await jobEnded(client, id);
    const isWritten = async (): Promise<boolean> => {
      const entries = await journalOf(client, '?cluster=shop&kind=create');
      return entries.length === 1 && entries[0]?.outcome === job.state && entries[0].job_id === id;
    };
    // Its end is written as soon as that is possible.
    await waitFor(isWritten, 'the end in the journal');
    const nodes = this.server.machine
      .engine('docker')
      .world.nodesOf('shop')
      .map(({ name }) => name);
    const hasWorked = job.state === 'succeeded';
    expect(job.error === null).toBe(hasWorked);
    expect(nodes).toEqual(hasWorked ? ['shop-control-plane'] : []);
    expect((await clusterOf(client, 'shop')).state).toBe(hasWorked ? 'running' : 'failed');
    return job;
  }

  /** Waits until lines that are written from now on are readable, each once and in order. */
  async expectLines(): Promise<void> {
    const wanted = this.written + 1;
    let lines: string[] = [];
    await waitFor(
      async () => {
        lines = await this.lines();
        return lines.length >= wanted;
      },
      () => `line ${wanted}, after ${lines.length} lines, of which the last is ${lines.at(-1)},`,
    );
    expect(lines).toEqual(lines.map((_, index) => `line ${index + 1}`));
  }

  private async expectAllKept(): Promise<void> {
    const before = await this.records();
    await this.expectStored();
    await this.server.process.kill();
    await this.server.startAgain();
    this.bearer = undefined;
    expect(await this.records()).toEqual(before);
    await this.expectStored();
  }

  private async expectStored(): Promise<void> {
    const isFlushed = async (): Promise<boolean> => (await this.lines()).length === this.written;
    await waitFor(isFlushed, () => `all ${this.written} lines`);
    const status = async (): Promise<{ pending_bytes: number }> => await this.fromBoard('/api/log-store');
    await waitFor(async () => (await status()).pending_bytes === 0, 'that they are on the disk');
  }

  /** The records that a restart must not change. */
  private async records(): Promise<unknown> {
    const clusters = await this.client.get<ClusterDto[]>('/api/v1/clusters');
    const jobs = await this.client.get<JobDto[]>('/api/v1/jobs');
    return [
      clusters.map(({ name, state, origin, workers }) => ({ name, state, origin, workers })),
      // The demo has objects with problems that change, which are watched for a while.
      jobs.map(({ problems: _, watched_until: __, ...job }) => job),
      (await this.client.get<{ entries: unknown[] }>('/api/v1/journal/recent?limit=200')).entries,
      (await this.client.send('GET', '/api/v1/clusters/c/config')).text,
    ];
  }

  private async source(): Promise<LogSourceDto | undefined> {
    return (await this.fromBoard<LogSourceDto[]>('/api/sources')).find(({ name }) => name === 'writer');
  }

  private async lines(): Promise<string[]> {
    const source = await this.source();
    if (!source) return [];
    const path = `/api/sources/${source.id}/lines?after=0&limit=5000`;
    return (await this.fromBoard<LinePageDto>(path)).lines.map(({ text }) => text);
  }

  private async fromBoard<TBody>(path: string): Promise<TBody> {
    const { board } = this.server.process;
    const send = async (): Promise<Awaited<ReturnType<typeof board.send>>> =>
      await board.send('GET', path, { headers: this.bearer });
    let response = await send();
    // The session may have ended with the clock.
    if (response.status === 401) {
      this.bearer = (await signIn({ client: board })).bearer;
      response = await send();
    }
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response.body as TBody;
  }
}
