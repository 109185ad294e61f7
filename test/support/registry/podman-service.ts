import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../wait-for.js';

const STOP_MS = 10_000;

/**
 * A Podman API service that allows plain HTTP for one registry. Podman requires TLS unless its configuration makes an
 * exception, and tests must not change the configuration of the machine.
 */
export class PodmanService {
  private constructor(
    private readonly service: ChildProcess,
    readonly socket: string,
  ) {}

  static async start(folder: string, registry: string): Promise<PodmanService> {
    const socket = join(folder, 'own-podman.sock');
    const config = join(folder, 'registries.conf');
    await writeFile(config, `[[registry]]\nlocation = "${registry}"\ninsecure = true\n`);
    const service = spawn('podman', ['system', 'service', '--time=0', `unix://${socket}`], {
      stdio: 'ignore',
      env: { ...process.env, CONTAINERS_REGISTRIES_CONF: config },
    });
    const isThere = (): Promise<boolean> =>
      stat(socket).then(
        () => true,
        () => false,
      );
    await waitFor(isThere, 'the socket of a podman service');
    return new PodmanService(service, socket);
  }

  async stop(): Promise<void> {
    const gone = once(this.service, 'exit');
    const force = setTimeout(() => this.service.kill('SIGKILL'), STOP_MS);
    this.service.kill();
    await gone;
    clearTimeout(force);
  }
}
