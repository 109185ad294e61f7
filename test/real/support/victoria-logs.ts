import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../support/free-port.js';

const START_MS = 15_000;

/** A VictoriaLogs of its own folder and port: a single node, a storage node, or the front of a cluster. */
export class VictoriaLogs {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-victoria-logs-'));
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly options: readonly string[],
  ) {}

  /** Starts a node that keeps lines, also very old ones. */
  static async node(): Promise<VictoriaLogs> {
    const node = new VictoriaLogs(await freePort(), ['-retentionPeriod=100y', '-futureRetention=100y']);
    await node.start();
    return node;
  }

  /** Starts the front of a cluster. */
  static async front(nodes: readonly VictoriaLogs[]): Promise<VictoriaLogs> {
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const front = new VictoriaLogs(await freePort(), [`-storageNode=${addresses}`]);
    await front.start();
    return front;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.port}`);
  }

  async start(): Promise<void> {
    const program = process.env['APP_TEST_VICTORIA_LOGS'];
    if (!program) {
      throw new Error(
        'APP_TEST_VICTORIA_LOGS is not set. Set it to the path of a VictoriaLogs program, version 1.24 or newer.',
      );
    }
    const place = [`-httpListenAddr=127.0.0.1:${this.port}`, `-storageDataPath=${this.folder}`];
    this.child = spawn(program, [...place, ...this.options], { stdio: 'ignore' });
    const deadline = Date.now() + START_MS;
    while (!(await this.isHealthy())) {
      if (this.child.exitCode !== null) throw new Error(`VictoriaLogs ended with ${this.child.exitCode}`);
      if (Date.now() > deadline) throw new Error(`VictoriaLogs did not start within ${START_MS} ms`);
      await pause(50);
    }
  }

  /** Ends the process: SIGTERM lets it write what it has in memory. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  async discard(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async isHealthy(): Promise<boolean> {
    try {
      return (await fetch(new URL('/health', this.url))).ok;
    } catch {
      return false;
    }
  }
}
