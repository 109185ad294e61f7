import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterDto } from '../../../backend/src/modules/clusters/cluster.dto.js';
import type { StatsDto } from '../../../backend/src/modules/stats/stats.dto.js';
import type { VersionsDto } from '../../../backend/src/modules/versions/version.dto.js';
import type { JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import { engines } from './engines.js';

const root = join(import.meta.dirname, '..', '..', '..');
const STARTED_MS = 15_000;
const ENGINES_MS = 60_000;

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** The built server as a user runs it, on a data folder of its own. */
export class Product {
  readonly dataDirectory = mkdtempSync(join(tmpdir(), 'slipway-real-'));
  private child: ChildProcess | undefined;
  private port = 0;
  private said = '';

  constructor(private readonly environment: Record<string, string> = {}) {}

  static async started(environment: Record<string, string> = {}): Promise<Product> {
    const product = new Product(environment);
    await product.start();
    return product;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Everything that the server has logged. */
  get log(): string {
    return this.said;
  }

  async start(): Promise<void> {
    this.port = await freePort();
    const child = spawn(
      join(root, 'node_modules', 'node', 'bin', 'node'),
      [join(root, 'dist', 'backend', 'main.js')],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          APP_RUNTIME: 'auto',
          ...this.environment,
          APP_PORT: String(this.port),
          APP_DATA_DIR: this.dataDirectory,
          APP_LOG_FORMAT: 'json',
        },
      },
    );
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.said += chunk.toString();
      });
    }
    this.child = child;
    await until('the server answers', STARTED_MS, async () => {
      if (child.exitCode !== null) throw new Error(`the server ended:\n${this.said}`);
      return await fetch(`${this.url}/api/v1/health`).then(
        (answer) => answer.ok,
        () => false,
      );
    });
    await this.enginesAnswer();
  }

  /** Waits for the engines: one that is busy joins a moment after the server answers. */
  private async enginesAnswer(): Promise<void> {
    await until('all engines answer', ENGINES_MS, async () => {
      const { body } = await this.call<StatsDto>('GET', '/stats');
      return engines.every((engine) => body.runtimes.some(({ id, available }) => id === engine && available));
    });
  }

  /** Ends the server as Ctrl+C does. @returns its exit status. */
  async stop(): Promise<number | null> {
    return await this.end('SIGTERM');
  }

  /** Ends the server as a crash does: nothing of it gets to run. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Ends the server and forgets its data. */
  async discard(): Promise<void> {
    await this.stop();
    rmSync(this.dataDirectory, { recursive: true, force: true });
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const answer = await fetch(`${this.url}/api/v1${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as T };
  }

  async bytes(path: string): Promise<Buffer> {
    const answer = await fetch(`${this.url}/api/v1${path}`);
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Asks for a cluster. @returns the id of its job. */
  async create(request: Record<string, unknown>): Promise<number> {
    const { status, body } = await this.call<{ job_id: number }>('POST', '/clusters', request);
    if (status !== 202) throw new Error(`the creation answered ${status}: ${JSON.stringify(body)}`);
    return body.job_id;
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
    await until(`job ${id} is as awaited`, timeoutMs, async () => {
      const job = await this.job(id);
      seen.push(job);
      return condition(job) || hasEnded(job);
    });
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

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const closed = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
    });
    child.kill(signal);
    await closed;
    return child.exitCode;
  }
}

export function hasEnded({ state }: { state: string }): boolean {
  return state !== 'queued' && state !== 'running';
}

/** Waits until something holds. @throws Error naming it when it does not in time. */
export async function until(
  what: string,
  timeoutMs: number,
  holds: () => Promise<boolean> | boolean,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`);
    await delay(100);
  }
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
