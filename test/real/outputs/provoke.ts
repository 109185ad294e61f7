import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { pathOf, run } from '../support/engines.js';
import type { Scenario, Tool } from './scenarios.js';

const execute = promisify(execFile);

/** The same on every machine, because programs print it. */
const FOLDER = '/tmp/slipway-outputs';
/** A port that is in use. */
const TAKEN_PORT = 18_999;
/** Of a server that has nothing, denies what has `denied` in its path, and fails for `broken`. */
const REGISTRY_PORT = 18_997;

export interface Output {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Provokes failures of the real programs. */
export class Provocation {
  private constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly holder: ReturnType<typeof createServer>,
    private readonly registry: Server,
  ) {}

  static async prepare(): Promise<Provocation> {
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    await run('sh', [join(__dirname, 'prepare.sh'), FOLDER]);
    const holder = createServer();
    const registry = createHttpServer(({ url = '' }, response) => {
      if (url.includes('denied')) {
        response.writeHead(403).end('{"errors":[{"code":"DENIED","message":"denied"}]}');
      } else if (url.includes('broken')) response.writeHead(500).end('broken');
      else if (url.startsWith('/page')) response.end('<!DOCTYPE html><html><body>Sign in</body></html>');
      else if (url === '/v2/') response.end('{}');
      else {
        response
          .writeHead(404)
          .end('{"errors":[{"code":"NAME_UNKNOWN","message":"repository name not known"}]}');
      }
    });
    await new Promise<void>((resolve) => void registry.listen(REGISTRY_PORT, '127.0.0.1', () => resolve()));
    await new Promise<void>((resolve) => void holder.listen(TAKEN_PORT, '127.0.0.1', () => resolve()));
    const { DOCKER_HOST: host, ...environment } = process.env;
    return new Provocation(
      {
        ...environment,
        ...(host !== undefined && { DOCKER_HOST: host }),
        LANG: 'C.UTF-8',
        NO_COLOR: '1',
        HELM_CONFIG_HOME: FOLDER,
        HELM_CACHE_HOME: FOLDER,
        HELM_DATA_HOME: FOLDER,
        NODE_IMAGE: process.env['APP_TEST_NODE_IMAGE'] ?? 'kindest/node:v1.37.0',
        KIND_FOLDER: dirname(await pathOf('kind')),
      },
      holder,
      registry,
    );
  }

  /** The cluster of the scenarios that need one. */
  async createCluster(): Promise<void> {
    const create =
      'kind create cluster --name=outputs --kubeconfig=outputs.kubeconfig --image=$NODE_IMAGE --wait=120s';
    const namespaces = ['helm3', 'helm4'].map(
      (name) => `kubectl --kubeconfig=outputs.kubeconfig create namespace ${name}`,
    );
    await this.sh([create, ...namespaces].join(' && '), 400_000);
  }

  async end(): Promise<void> {
    this.holder.close();
    this.registry.closeAllConnections();
    this.registry.close();
    await this.sh('kind delete cluster --name=outputs --kubeconfig=outputs.kubeconfig || true');
    await rm(FOLDER, { recursive: true, force: true });
  }

  async provoke({ before, run: command, after }: Scenario): Promise<Output> {
    if (before !== undefined) await this.sh(before).catch(() => undefined);
    try {
      await this.sh(command, 600_000);
      return { exitCode: 0, stdout: '', stderr: '' };
    } catch (error) {
      const { code, stdout, stderr } = error as { code?: unknown; stdout?: unknown; stderr?: unknown };
      return { exitCode: Number(code), stdout: String(stdout), stderr: String(stderr) };
    } finally {
      if (after !== undefined) await this.sh(after).catch(() => undefined);
    }
  }

  async versions(): Promise<Record<Tool, string>> {
    const [kind, helm3, helm4, docker, podman] = await Promise.all([
      this.sh('kind version'),
      this.sh('helm3 version --short'),
      this.sh('helm version --short'),
      this.sh('docker version --format="client {{.Client.Version}}, server {{.Server.Version}}"'),
      this.sh('podman --version'),
    ]);
    return { kind, helm3, helm4, docker, podman };
  }

  private async sh(command: string, timeout = 120_000): Promise<string> {
    const options = { cwd: FOLDER, env: this.environment, timeout, maxBuffer: 64 * 1024 * 1024 };
    return (await execute('sh', ['-c', command], options)).stdout.trim();
  }
}
