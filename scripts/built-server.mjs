import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PATH, root, serverCommand } from './process.mjs';

const HEALTHY_WITHIN_MS = 30_000;
const STOPPED_WITHIN_MS = 30_000;

/** The product as a user runs it, on a free port and with a data folder that goes with it. */
export class BuiltServer {
  output = '';
  /** Milliseconds from its start until health responded. */
  healthyAfterMs = 0;

  /**
   * @param environment variables on top of ours.
   * @param command what to run: the built server, or a script that runs it.
   * @param healthOf a URL that responds once the server is ready.
   */
  static async start(
    environment = {},
    command = serverCommand(),
    healthOf = ({ url }) => `${url}/api/v1/health`,
  ) {
    const server = new BuiltServer();
    server.folder = mkdtempSync(join(tmpdir(), 'slipway-server-'));
    const port = await freePort();
    server.url = `http://127.0.0.1:${port}`;
    const logBoardPort = await freePort();
    server.logBoardUrl = `http://127.0.0.1:${logBoardPort}`;
    const began = performance.now();
    const [program, ...args] = command;
    server.child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PATH,
        ...environment,
        APP_PORT: String(port),
        APP_LOG_BOARD_PORT: String(logBoardPort),
        APP_DATA_DIR: server.folder,
      },
    });
    server.ended = new Promise((resolve) => {
      server.child.on('close', (status, signal) => resolve(status ?? signal));
    });
    for (const stream of [server.child.stdout, server.child.stderr])
      stream.on('data', (chunk) => (server.output += chunk));
    try {
      await server.untilHealthy(began, healthOf(server));
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** The log board as a process of its own. */
  static async startLogBoard(environment = {}) {
    const command = serverCommand('log-board');
    return await BuiltServer.start(environment, command, ({ logBoardUrl }) => `${logBoardUrl}/`);
  }

  async untilHealthy(began, address) {
    while (performance.now() - began < HEALTHY_WITHIN_MS) {
      if (this.child.exitCode !== null) throw new Error(`the server ended:\n${this.output}`);
      const healthy = await fetch(address).then(
        (response) => response.ok,
        () => false,
      );
      if (healthy) {
        this.healthyAfterMs = performance.now() - began;
        return;
      }
      await delay(5);
    }
    throw new Error(`the server was not healthy within ${HEALTHY_WITHIN_MS / 1000} s:\n${this.output}`);
  }

  /** Ends it as a service manager does. @returns its exit status. */
  async stop() {
    const timer = setTimeout(() => {
      this.child.kill('SIGKILL');
      // Its child processes may keep the pipes open forever.
      this.child.stdout.destroy();
      this.child.stderr.destroy();
    }, STOPPED_WITHIN_MS);
    this.child.kill('SIGTERM');
    const status = await this.ended;
    clearTimeout(timer);
    rmSync(this.folder, { recursive: true, force: true });
    return status;
  }
}

/** A free port. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
