import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ApiClient } from '../../support/app/api-client.js';
import { jobEnded, requestCluster } from '../../support/app/clusters.js';
import { preparePassword } from '../../support/app/log-board-password.js';
import type { ApplicationName } from '../../../backend/src/apps/core.module.js';
import { BuiltProduct } from './built-product.js';

const CREATED_MS = 60_000;

/** The built product on a free port, with a data folder of its own. */
export class Product {
  private server: BuiltProduct | undefined;
  private readonly earlier: string[] = [];
  private readonly ports: Record<string, string> = {};

  private constructor(
    readonly dataDirectory: string,
    /** Home folder of its user, with the user's kubeconfig. */
    readonly home: string,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly applications: readonly ApplicationName[],
  ) {}

  /**
   * @param environment configuration of the product, such as `APP_RUNTIME`
   * @param applications which of the two applications to start
   */
  static async start(
    environment: Readonly<Record<string, string>>,
    applications: readonly ApplicationName[] = ['dashboard'],
  ): Promise<Product> {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-browser-'));
    const product = new Product(join(folder, 'data'), join(folder, 'home'), environment, applications);
    await mkdir(product.home);
    await preparePassword(product.dataDirectory, environment['APP_PASS']);
    await product.launch();
    return product;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.ports['APP_PORT'] ?? ''}`;
  }

  get boardOrigin(): string {
    return `http://127.0.0.1:${this.ports['APP_LOG_BOARD_PORT'] ?? ''}`;
  }

  /** The log, for failed tests. */
  get log(): string {
    return [...this.earlier, this.server?.log ?? ''].join('\n');
  }

  /** Starts it, after `halt` on the same port and with the same data. */
  async launch(): Promise<void> {
    this.server = await BuiltProduct.start(
      {
        PATH: process.env['PATH'],
        HOME: this.home,
        APP_LOG_LEVEL: 'info',
        ...this.environment,
        ...this.ports,
        APP_DATA_DIR: this.dataDirectory,
      },
      this.applications,
    );
    if (this.applications.includes('dashboard')) this.ports['APP_PORT'] = String(this.server.client.port);
    if (this.applications.includes('log-board')) {
      this.ports['APP_LOG_BOARD_PORT'] = String(this.server.board.port);
    }
  }

  /** Stops it and keeps its data. */
  async halt(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    await server.stop();
    this.earlier.push(server.log);
  }

  async stop(): Promise<void> {
    await this.halt();
    await rm(dirname(this.home), { recursive: true, force: true });
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.client.send(method, `/api/v1${path}`, { body });
    if (response.status >= 300) {
      throw new Error(`${method} ${path} failed with ${response.status}: ${response.text}`);
    }
    return response.body as T;
  }

  /** Creates a cluster and waits until its job has ended, even if it failed. @returns the job */
  async createCluster(name: string, more: Record<string, unknown> = {}): Promise<number> {
    const id = await requestCluster(this.client, name, { workers: 1, ...more });
    await jobEnded(this.client, id, CREATED_MS);
    return id;
  }

  /** API client of the log board. */
  get board(): ApiClient {
    if (!this.server) throw new Error('the product is not running');
    return this.server.board;
  }

  private get client(): ApiClient {
    if (!this.server) throw new Error('the product is not running');
    return this.server.client;
  }
}
