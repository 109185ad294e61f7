import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProject } from '../../../backend/src/core/config/project.js';
import type { JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import { freePort } from '../../support/free-port.js';
import { waitFor } from '../../support/wait-for.js';
import { runArguments } from './compose.js';
import { run } from './engines.js';
import { hasEnded } from './product.js';

const { root } = readProject();
const PASSWORD = 'a password of the container spec';
const JOB_MS = 240_000;
/** Without local bases, it pulls three and builds the programs. */
export const BUILD_MS = 30 * 60_000;

/** Slipway in a container of Docker, as `compose.yaml` runs it. */
export class SlipwayContainer {
  readonly name = 'slipway-spec';
  readonly image = 'slipway:spec';
  private readonly folder = mkdtempSync(join(tmpdir(), 'slipway-image-'));
  private ports = { dashboard: 0, board: 0, forward: 0 };
  private token = '';

  /** Builds it from the checkout: with `APP_TEST_LOCAL_BASES` without network, on bases that it makes. */
  async build(): Promise<void> {
    const local = process.env['APP_TEST_LOCAL_BASES']
      ? await run(join(root, 'scripts/image/bases.sh'), [])
      : '';
    const options = local.split(' ').filter(Boolean);
    await run('docker', ['build', `--tag=${this.image}`, ...options, root], {}, BUILD_MS);
  }

  async start(): Promise<void> {
    this.ports = { dashboard: await freePort(), board: await freePort(), forward: await freePort() };
    const secret = join(this.folder, 'password');
    writeFileSync(secret, `${PASSWORD}\n`);
    chmodSync(secret, 0o644);
    await this.up();
  }

  /** Runs a new container with the data of the former one. */
  async up(): Promise<void> {
    const environment = {
      DOCKER_GID: await run('stat', ['-c', '%g', '/var/run/docker.sock']),
      SLIPWAY_PORT: String(this.ports.dashboard),
      SLIPWAY_LOG_BOARD_PORT: String(this.ports.board),
      SLIPWAY_FORWARD_PORTS: String(this.ports.forward),
      SLIPWAY_PASSWORD_FILE: join(this.folder, 'password'),
    };
    const args = runArguments(join(root, 'compose.yaml'), environment, {
      project: this.name,
      image: this.image,
    });
    await run('docker', ['run', '--detach', `--name=${this.name}`, ...args]);
    await this.ready();
  }

  async restart(): Promise<void> {
    await run('docker', ['restart', this.name]);
    await this.ready();
  }

  async down(): Promise<void> {
    await run('docker', ['rm', '--force', this.name]);
  }

  async discard(): Promise<void> {
    await this.down().catch(() => undefined);
    await run('docker', ['volume', 'rm', `${this.name}_slipway-data`]).catch(() => undefined);
    await run('docker', ['image', 'rm', this.image]).catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true });
  }

  get url(): string {
    return `http://localhost:${this.ports.dashboard}`;
  }

  get boardUrl(): string {
    return `http://localhost:${this.ports.board}`;
  }

  get forwardPort(): number {
    return this.ports.forward;
  }

  async log(): Promise<string> {
    return await run('sh', ['-c', `docker logs ${this.name} 2>&1`]);
  }

  async inspect(format: string): Promise<string> {
    return await run('docker', ['inspect', `--format=${format}`, this.name]);
  }

  async signIn(): Promise<void> {
    const response = await fetch(`${this.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    });
    if (response.status !== 200) throw new Error(`the sign-in returned ${response.status}`);
    ({ access_token: this.token } = (await response.json()) as { access_token: string });
  }

  /** @param body JSON, or a chart. @throws Error for a response that is no success. */
  async call<T>(method: string, path: string, body?: object, base = `${this.url}/api/v1`): Promise<T> {
    const isChart = body instanceof Buffer;
    const type = isChart ? 'application/gzip' : 'application/json';
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: isChart ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return (response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text) as T;
  }

  /** Starts a job with a request, and waits for its success. */
  async job(method: string, path: string, body?: object): Promise<void> {
    const { job_id: id } = await this.call<{ job_id: number }>(method, path, body);
    let job: JobWithLogDto | undefined;
    await waitFor(
      async () => {
        // Before Docker 28, the engine interrupts connections when the container joins a network.
        job = await this.call<JobWithLogDto>('GET', `/jobs/${id}`).catch(() => job);
        return job !== undefined && hasEnded(job);
      },
      () => `The end of job ${id}, now ${JSON.stringify(job ?? null).slice(0, 2000)},`,
      JOB_MS,
    );
    if (job?.state !== 'succeeded') throw new Error(`${method} ${path}: ${JSON.stringify(job)}`);
  }

  private async ready(): Promise<void> {
    const isReady = async (url: string): Promise<boolean> =>
      (await fetch(url).catch(() => undefined))?.ok === true;
    const both = async (): Promise<boolean> =>
      (await isReady(`${this.url}/api/v1/health`)) && (await isReady(`${this.boardUrl}/api/health`));
    await waitFor(both, 'The health of the container', 60_000);
  }
}
