import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { accessSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../free-port.js';
import { waitFor } from '../wait-for.js';

const ROOT = dirname(dirname(dirname(import.meta.dirname)));
const RELEASE = join(ROOT, 'dist', 'release');
/** Versions of Node that are not the system's. Outside the clone, since each is 60 MB to fetch. */
const NODES = join(homedir(), '.cache', 'slipway-node');
const HEALTHY_MS = 60_000;

export interface Output {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The npm package that `npm run release` made. */
export function packagePath(): string {
  const name = readdirSync(RELEASE).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error('there is no package: node scripts/release.mjs --skip-checks');
  return join(RELEASE, name);
}

/**
 * A home folder of its own, with one version of Node and the artifact, and as root without the checkout, which is hidden
 * from all commands.
 */
export class BareMachine {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-package-'));
  readonly home = join(this.folder, 'home');
  readonly artifact = join(this.folder, 'slipway.tgz');
  private readonly running: ChildProcess[] = [];
  private readonly search: string[];

  constructor(nodeMajor: 20 | 22 | 24) {
    mkdirSync(this.home);
    execFileSync('cp', [packagePath(), this.artifact]);
    const bin = join(this.folder, 'node');
    mkdirSync(bin);
    symlinkSync(nodeOf(nodeMajor), join(bin, 'node'));
    this.search = [join(this.home, 'bin'), bin, dirname(npmPath()), '/usr/bin', '/bin'];
  }

  /**
   * Installs what another machine has, without the Node that the package brought.
   * `npm install --global --omit=optional` installs optional packages nevertheless.
   */
  takeWithoutNode(other: BareMachine): void {
    execFileSync('cp', ['--archive', '--link', join(other.home, 'lib'), join(other.home, 'bin'), this.home]);
    const modules = join(this.home, 'lib', 'node_modules', 'slipway', 'node_modules');
    rmSync(join(modules, `node-linux-${process.arch}`), { recursive: true });
  }

  /** The environment of a user's shell. npm keeps its registry, its warm cache and the certificates of a proxy. */
  get environment(): NodeJS.ProcessEnv {
    return {
      HOME: this.home,
      PATH: this.search.join(delimiter),
      LANG: 'C.UTF-8',
      NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
      ...npmSettings(),
      npm_config_prefix: this.home,
      APP_RUNTIME: 'demo',
      APP_LOG_FORMAT: 'json',
    };
  }

  /** Runs a command to its end. */
  async run(command: readonly string[], environment: NodeJS.ProcessEnv = {}, input = ''): Promise<Output> {
    const child = this.start(command, environment);
    const output: Output = { status: null, stdout: '', stderr: '' };
    child.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    child.stdin?.end(input);
    output.status = await new Promise((resolve) => child.on('close', resolve));
    return output;
  }

  /** Starts a command, which `remove` ends. */
  start(command: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
    const hidden = [
      'unshare',
      '--mount',
      'sh',
      '-c',
      'mount -t tmpfs none "$0" && exec "$@"',
      ROOT,
      ...command,
    ];
    const [program = '', ...args] = process.getuid?.() === 0 ? hidden : command;
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { ...this.environment, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.running.push(child);
    return child;
  }

  /** Starts a server with a command on free ports. @throws Error with its output if it does not become healthy. */
  async serve(command: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<BareServer> {
    const [port, logBoardPort] = [await freePort(), await freePort()];
    const child = this.start(command, {
      APP_PORT: String(port),
      APP_LOG_BOARD_PORT: String(logBoardPort),
      ...environment,
    });
    const server = new BareServer(child, `http://127.0.0.1:${port}`, `http://127.0.0.1:${logBoardPort}`);
    await waitFor(
      async () => child.exitCode !== null || (await server.isHealthy()),
      () => `a healthy server; its output:\n${server.output}`,
      HEALTHY_MS,
    );
    if (child.exitCode !== null) throw new Error(`the server ended:\n${server.output}`);
    return server;
  }

  async remove(): Promise<void> {
    for (const child of this.running) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await new Promise((resolve) => child.on('close', resolve));
      }
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A server that runs from the artifact. */
export class BareServer {
  output = '';

  constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    readonly logBoardUrl: string,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async isHealthy(): Promise<boolean> {
    const healthy = async (url: string): Promise<boolean> =>
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    return (await healthy(`${this.url}/api/v1/health`)) && (await healthy(`${this.logBoardUrl}/api/health`));
  }

  /** Memory of its process in bytes, where shared pages count in part (proc(5), Pss). */
  memory(): number {
    const [, kilobytes = '0'] =
      /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  }

  /** Ends it as a service manager does. @returns its exit status. */
  async stop(): Promise<number | null> {
    const closed = new Promise<number | null>((resolve) => this.child.on('close', resolve));
    this.child.kill('SIGTERM');
    return await closed;
  }
}

/** Without it, npm would look for its settings beside the program of Node. */
function npmSettings(): NodeJS.ProcessEnv {
  const environment = { ...process.env, PATH: [dirname(npmPath()), '/usr/bin', '/bin'].join(delimiter) };
  const settingOf = (name: string): string =>
    execFileSync(npmPath(), ['config', 'get', name], { env: environment, encoding: 'utf8' }).trim();
  return (settings ??= Object.fromEntries(
    ['cache', 'userconfig', 'globalconfig'].map((name) => [`npm_config_${name}`, settingOf(name)]),
  ));
}
let settings: NodeJS.ProcessEnv | undefined;

function npmPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  const found = folders.map((folder) => join(folder, 'npm')).find(isThere);
  if (found === undefined) throw new Error('npm is not on PATH');
  return found;
}

/** The program of a major version of Node: the system's, or of a package, which is installed once. */
function nodeOf(major: number): string {
  const system = join(dirname(npmPath()), 'node');
  if (isThere(system) && execFileSync(system, ['--version'], { encoding: 'utf8' }).startsWith(`v${major}.`)) {
    return system;
  }
  const folder = join(NODES, String(major));
  const name = `node-linux-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  if (!isThere(program)) {
    mkdirSync(folder, { recursive: true });
    execFileSync(
      npmPath(),
      ['install', `--prefix=${folder}`, '--no-audit', '--no-fund', `${name}@${major}`],
      {
        stdio: 'ignore',
      },
    );
  }
  return program;
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}
