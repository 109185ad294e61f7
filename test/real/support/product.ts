import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterDto } from '../../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { StatsDto } from '../../../backend/src/modules/stats/stats.dto.js';
import type { VersionsDto } from '../../../backend/src/modules/versions/version.dto.js';
import type { JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import { ServerProcess } from '../../support/server/server-process.js';
import { waitFor } from '../../support/wait-for.js';
import { engines } from './engines.js';

/** Podman starts programs for its version, which takes long on a busy machine. */
const ENGINES_MS = 180_000;
/** Some responses arrive when the work is done, such as that of a deletion. */
const RESPONSE_MS = 200_000;

export interface ProductResponse<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** The built server as a user runs it, with a separate data folder. */
export class Product {
  readonly dataDirectory = mkdtempSync(join(tmpdir(), 'slipway-real-'));
  private server: ServerProcess | undefined;

  constructor(private readonly environment: Record<string, string> = {}) {}

  static async started(environment: Record<string, string> = {}): Promise<Product> {
    const product = new Product(environment);
    try {
      await product.start();
    } catch (error) {
      // A server that is left running would keep Jest from exiting.
      await product.discard();
      throw error;
    }
    return product;
  }

  get url(): string {
    return `http://127.0.0.1:${this.running.client.port}`;
  }

  /** Log of the server since its last start. */
  get log(): string {
    return this.running.log;
  }

  /** Starts on the port of the previous start, so that open pages reconnect. */
  async start(): Promise<void> {
    this.server = await ServerProcess.start({
      ...process.env,
      APP_RUNTIME: 'auto',
      APP_LOG_LEVEL: 'info',
      ...this.environment,
      APP_PORT: String(this.server?.client.port ?? 0),
      APP_DATA_DIR: this.dataDirectory,
      APP_LOG_FORMAT: 'json',
    });
    // The demo has no engines.
    if (this.environment['APP_RUNTIME'] !== 'demo') await this.enginesAvailable();
  }

  /** Waits for the engines: a busy engine may respond later than the server. */
  private async enginesAvailable(): Promise<void> {
    const allRespond = async (): Promise<boolean> => {
      const { runtimes } = (await this.call<Partial<StatsDto>>('GET', '/stats')).body;
      // Missing while Slipway looks for engines.
      return engines.every((engine) => runtimes?.some(({ id, available }) => id === engine && available));
    };
    await waitFor(allRespond, `A response of ${engines.join(' and ')}`, ENGINES_MS);
  }

  /** Stops the server like Ctrl+C. @returns the exit status. */
  async stop(): Promise<number | null> {
    return (await this.running.stop()).code;
  }

  /** Kills the server, like a crash. */
  async kill(): Promise<void> {
    await this.running.kill();
  }

  /** Stops the server and deletes its data. */
  async discard(): Promise<void> {
    await this.server?.stop();
    rmSync(this.dataDirectory, { recursive: true, force: true });
  }

  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ProductResponse<T>> {
    const response = await this.send(path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: body instanceof Buffer ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : text) as T,
    };
  }

  async bytes(path: string): Promise<Buffer> {
    const response = await this.send(path, { method: 'GET' });
    if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${await response.text()}`);
    return Buffer.from(await response.arrayBuffer());
  }

  /** Creates a cluster. @returns the id of the job. */
  async create(request: Record<string, unknown>): Promise<number> {
    const { status, body } = await this.call<{ job_id: number }>('POST', '/clusters', request);
    if (status !== 202) throw new Error(`the creation returned ${status}: ${JSON.stringify(body)}`);
    return body.job_id;
  }

  /** Changes a cluster with an action without options, such as `stop`. @returns the finished job. */
  async change(cluster: string, action: string): Promise<JobWithLogDto> {
    const { status, body } = await this.call<{ job_id: number }>('POST', `/clusters/${cluster}/${action}`);
    if (status !== 202) throw new Error(`${action} returned ${status}: ${JSON.stringify(body)}`);
    return await this.ended(body.job_id);
  }

  /** Tag of the node image `APP_TEST_NODE_IMAGE`, or of the default image of kind. */
  async nodeImageTag(): Promise<string> {
    const image = process.env['APP_TEST_NODE_IMAGE'];
    if (image !== undefined) return image.slice(image.lastIndexOf(':') + 1);
    const { body } = await this.call<VersionsDto>('GET', '/versions');
    if (body.default_tag === null) throw new Error('no node image is known: set APP_TEST_NODE_IMAGE');
    return body.default_tag;
  }

  async job(id: number): Promise<JobWithLogDto> {
    return (await this.call<JobWithLogDto>('GET', `/jobs/${id}`)).body;
  }

  async clusters(): Promise<ClusterDto[]> {
    return (await this.call<ClusterDto[]>('GET', '/clusters')).body;
  }

  /** Polls a job until a condition holds or the job ends. @returns all states, the latest last. */
  async follow(
    id: number,
    condition: (job: JobWithLogDto) => boolean,
    timeoutMs = 240_000,
  ): Promise<JobWithLogDto[]> {
    const seen: JobWithLogDto[] = [];
    await waitFor(
      async () => {
        const job = await this.job(id);
        seen.push(job);
        return condition(job) || hasEnded(job);
      },
      () => `Condition of job ${id}, now ${JSON.stringify(seen.at(-1)).slice(0, 2000)},`,
      timeoutMs,
    );
    return seen;
  }

  async ended(id: number): Promise<JobWithLogDto> {
    const job = (await this.follow(id, hasEnded)).at(-1);
    if (!job) throw new Error(`job ${id} does not exist`);
    return job;
  }

  readData(...path: string[]): string {
    return readFileSync(join(this.dataDirectory, ...path), 'utf8');
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    const signal = AbortSignal.timeout(RESPONSE_MS);
    return await fetch(`${this.url}/api/v1${path}`, { signal, ...init }).catch((error: unknown) => {
      const log = this.log.split('\n').slice(-20).join('\n');
      throw new Error(`${init.method ?? ''} ${path}: no response. End of the log:\n${log}`, {
        cause: error,
      });
    });
  }

  private get running(): ServerProcess {
    if (!this.server) throw new Error('the server was not started');
    return this.server;
  }
}

export function hasEnded({ state }: { state: string }): boolean {
  return state !== 'queued' && state !== 'running';
}
