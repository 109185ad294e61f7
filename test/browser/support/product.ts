import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../../..');
const START_MS = 20_000;
const STOP_MS = 10_000;

/** The built product as a process of its own, on a free port and with data that nobody else has. */
export class Product {
  private process: ChildProcess | undefined;
  private output = '';

  private constructor(
    readonly port: number,
    readonly dataDirectory: string,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** @param environment what the product is to be told, such as `APP_RUNTIME` */
  static async start(environment: Readonly<Record<string, string>>): Promise<Product> {
    const product = new Product(
      await freePort(),
      await mkdtemp(join(tmpdir(), 'slipway-browser-')),
      environment,
    );
    await product.launch();
    return product;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What it wrote, for a failed test. */
  get log(): string {
    return this.output;
  }

  /** Begins again on the same port and with the same data. */
  async launch(): Promise<void> {
    const child = spawn(join(ROOT, 'node_modules/.bin/node'), [join(ROOT, 'dist/backend/main.js')], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        APP_LOG_FORMAT: 'json',
        ...this.environment,
        APP_PORT: String(this.port),
        APP_DATA_DIR: this.dataDirectory,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    const deadline = performance.now() + START_MS;
    while (performance.now() < deadline) {
      if (child.exitCode !== null) break;
      if (await this.answers()) return;
      await delay(50);
    }
    throw new Error(`The product did not start (exit status ${String(child.exitCode)}):\n${this.output}`);
  }

  /** Ends it, and keeps its data. */
  async halt(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(force);
  }

  async stop(): Promise<void> {
    await this.halt();
    await rm(this.dataDirectory, { recursive: true, force: true });
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.origin}/api/v1${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** A cluster that is there before the test looks. Answers once its job has ended, however it did. */
  async createCluster(name: string, more: Record<string, unknown> = {}): Promise<number> {
    const { job_id: id } = await this.call<{ job_id: number }>('POST', '/clusters', {
      name,
      workers: 1,
      node_image_tag: 'v1.34.4',
      ...more,
    });
    const deadline = performance.now() + START_MS;
    while (performance.now() < deadline) {
      const { state } = await this.call<{ state: string }>('GET', `/jobs/${id}`);
      if (state !== 'queued' && state !== 'running') return id;
      await delay(50);
    }
    throw new Error(`The creation of ${name} did not end.`);
  }

  private async answers(): Promise<boolean> {
    try {
      return (await fetch(`${this.origin}/api/v1/health`)).ok;
    } catch {
      return false;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
