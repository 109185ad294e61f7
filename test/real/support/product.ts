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

const ENGINES_MS = 60_000;
/** Some answers come when the work is done, as that to a deletion. */
const ANSWER_MS = 200_000;

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** The built server as a user runs it, on a data folder of its own. */
export class Product {
  readonly dataDirectory = mkdtempSync(join(tmpdir(), 'slipway-real-'));
  private server: ServerProcess | undefined;

  constructor(private readonly environment: Record<string, string> = {}) {}

  static async started(environment: Record<string, string> = {}): Promise<Product> {
    const product = new Product(environment);
    await product.start();
    return product;
  }

  get url(): string {
    return `http://127.0.0.1:${this.running.client.port}`;
  }

  /** Everything that the server has logged since its last start. */
  get log(): string {
    return this.running.log;
  }

  /** Where it ran before, it listens where it listened: a page that is open finds it again. */
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
    await this.enginesAnswer();
  }

  /** Waits for the engines: one that is busy joins a moment after the server answers. */
  private async enginesAnswer(): Promise<void> {
    const allAnswer = async (): Promise<boolean> => {
      const { runtimes } = (await this.call<StatsDto>('GET', '/stats')).body;
      return engines.every((engine) => runtimes.some(({ id, available }) => id === engine && available));
    };
    await waitFor(allAnswer, `The answer of ${engines.join(' and ')}`, ENGINES_MS);
  }

  /** Ends the server as Ctrl+C does. @returns its exit status. */
  async stop(): Promise<number | null> {
    return (await this.running.stop()).code;
  }

  /** Ends the server as a crash does: nothing of it gets to run. */
  async kill(): Promise<void> {
    await this.running.kill();
  }

  /** Ends the server and forgets its data. */
  async discard(): Promise<void> {
    await this.server?.stop();
    rmSync(this.dataDirectory, { recursive: true, force: true });
  }

  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const answer = await this.ask(path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: body instanceof Buffer ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as T };
  }

  async bytes(path: string): Promise<Buffer> {
    const answer = await this.ask(path, { method: 'GET' });
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Asks for a cluster. @returns the id of its job. */
  async create(request: Record<string, unknown>): Promise<number> {
    const { status, body } = await this.call<{ job_id: number }>('POST', '/clusters', request);
    if (status !== 202) throw new Error(`the creation answered ${status}: ${JSON.stringify(body)}`);
    return body.job_id;
  }

  /** Asks for what has no other wishes, as `stop`. @returns its job, ended. @throws Error where it was refused. */
  async change(cluster: string, action: string): Promise<JobWithLogDto> {
    const { status, body } = await this.call<{ job_id: number }>('POST', `/clusters/${cluster}/${action}`);
    if (status !== 202) throw new Error(`${action} answered ${status}: ${JSON.stringify(body)}`);
    return await this.ended(body.job_id);
  }

  /** The node image to test with: that of `APP_TEST_NODE_IMAGE`, else the one that kind itself would use. */
  async nodeImageTag(): Promise<string> {
    const image = process.env['APP_TEST_NODE_IMAGE'];
    if (image !== undefined) return image.slice(image.lastIndexOf(':') + 1);
    const { body } = await this.call<VersionsDto>('GET', '/versions');
    if (body.default_tag === null) throw new Error('no node image is known: name one in APP_TEST_NODE_IMAGE');
    return body.default_tag;
  }

  async job(id: number): Promise<JobWithLogDto> {
    return (await this.call<JobWithLogDto>('GET', `/jobs/${id}`)).body;
  }

  async clusters(): Promise<ClusterDto[]> {
    return (await this.call<ClusterDto[]>('GET', '/clusters')).body;
  }

  /** Follows a job until a condition holds. @returns every state that was seen on the way, the last one last. */
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
      () => `What was awaited of job ${id}, last seen as ${JSON.stringify(seen.at(-1)).slice(0, 2000)},`,
      timeoutMs,
    );
    return seen;
  }

  async ended(id: number): Promise<JobWithLogDto> {
    const job = (await this.follow(id, hasEnded)).at(-1);
    if (!job) throw new Error(`job ${id} was never seen`);
    return job;
  }

  readData(...path: string[]): string {
    return readFileSync(join(this.dataDirectory, ...path), 'utf8');
  }

  private async ask(path: string, init: RequestInit): Promise<Response> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    return await fetch(`${this.url}/api/v1${path}`, { signal, ...init }).catch((error: unknown) => {
      const said = this.log.split('\n').slice(-20).join('\n');
      throw new Error(`${init.method ?? ''} ${path}: no answer. The server said last:\n${said}`, {
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
