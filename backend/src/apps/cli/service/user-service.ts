import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readProject, userFolder, type Configuration } from '../../../core/config/index.js';
import { writeFileAtomically } from '../../../core/storage/index.js';
import { CommandError, LocalProcessRunner, type Program } from '../../../drivers/process/index.js';
import { CliError } from '../cli-error.js';
import { launchdAgent, systemdUnit, type ServiceOptions } from './service-file.js';

const UNIT = 'slipway.service';
const TIMEOUT_MS = 30_000;
/** Where Slipway finds its programs, settings and data. */
const PASSED_ON = ['PATH', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'];

/** The state of the service as systemd reports it. */
export interface ServiceStatus {
  /** The service file; null if it is not installed. */
  file: string | null;
  /** Such as `active`, `inactive` or `failed`; null if systemd does not respond. */
  state: string | null;
  /** Such as `enabled`, which starts it when the user logs in. */
  enabled: string | null;
  pid: number | null;
  restarts: number | null;
  /** Whether it also runs while the user is not logged in. */
  linger: boolean | null;
}

/** Slipway as a service of the user: of systemd on Linux. On macOS only its file is written. */
export class UserService {
  private readonly runner: LocalProcessRunner;
  readonly file: string;

  constructor(private readonly configuration: Configuration) {
    this.runner = new LocalProcessRunner(configuration);
    this.file = this.isMac
      ? join(homedir(), 'Library', 'LaunchAgents', 'slipway.plist')
      : join(userFolder('XDG_CONFIG_HOME', '.config'), 'systemd', 'user', UNIT);
  }

  get isMac(): boolean {
    return this.configuration.platform === 'darwin';
  }

  /** The text of the service file. @throws CliError if this installation cannot be a service. */
  text(): string {
    const options = this.options();
    return this.isMac ? launchdAgent(options) : systemdUnit(options);
  }

  /** @throws CliError if it cannot be one, also if systemd does not respond. */
  async write(): Promise<void> {
    const text = this.text();
    if (!this.isMac) await this.systemctl('show', '--property=Version');
    await mkdir(dirname(this.file), { recursive: true });
    await writeFileAtomically(this.file, text);
  }

  /** Starts it now and whenever the user logs in. @throws CliError */
  async enable(): Promise<void> {
    await this.systemctl('daemon-reload');
    await this.systemctl('enable', UNIT);
    // Also if it runs already, perhaps as an older version.
    await this.systemctl('restart', UNIT);
  }

  /** Lets it run while the user is not logged in. @throws CliError */
  async enableLinger(): Promise<void> {
    await this.run('loginctl', 'enable-linger');
  }

  /** Stops it and removes its file, also if systemd does not respond. @returns whether there was one. */
  async remove(): Promise<boolean> {
    if ((await this.installed()) === null) return false;
    const responds = (await this.status()).state !== null;
    if (responds) await this.systemctl('disable', '--now', UNIT);
    await rm(this.file);
    if (responds) await this.systemctl('daemon-reload');
    return true;
  }

  async status(): Promise<ServiceStatus> {
    const file = await this.installed();
    const shown = this.isMac ? undefined : await this.properties();
    return {
      file,
      state: shown?.['ActiveState'] ?? null,
      enabled: shown?.['UnitFileState'] || null,
      pid: Number(shown?.['MainPID']) || null,
      restarts: shown?.['NRestarts'] === undefined ? null : Number(shown['NRestarts']),
      linger: this.isMac ? null : await this.lingers(),
    };
  }

  private options(): ServiceOptions {
    const program = join(readProject().root, 'bin', 'slipway');
    const given = PASSED_ON.map((name) => [name, this.configuration.environment[name] ?? ''] as const);
    const environment = Object.fromEntries(given.filter(([, value]) => value !== ''));
    if (program.includes('/_npx/')) {
      throw new CliError(
        'This Slipway is in the cache of npx, which npm deletes at any time. Install it with `npm install --global slipway`, then try again.',
      );
    }
    if (/["'\\\p{Cc}]/u.test(program) || /\p{Cc}/u.test(Object.values(environment).join(''))) {
      throw new CliError(
        `systemd does not accept quotes, backslashes or control characters in the path of a program (${program}) or in ${PASSED_ON.join(', ')}. Install Slipway in another folder, or change the variable.`,
      );
    }
    return { program, environment };
  }

  private async installed(): Promise<string | null> {
    const text = await readFile(this.file, 'utf8').catch(() => undefined);
    return text === undefined ? null : this.file;
  }

  private async properties(): Promise<Record<string, string> | undefined> {
    const names = '--property=ActiveState,UnitFileState,MainPID,NRestarts';
    try {
      const { stdout } = await this.systemctl('show', names, UNIT);
      const lines = stdout.split('\n').map((line) => line.split('=', 2));
      return Object.fromEntries(lines) as Record<string, string>;
    } catch (error) {
      // The status says that it is unknown.
      if (error instanceof CliError) return undefined;
      throw error;
    }
  }

  private async lingers(): Promise<boolean | null> {
    try {
      const { stdout } = await this.run('loginctl', 'show-user', '--property=Linger', '--value');
      return stdout.trim() === 'yes';
    } catch (error) {
      if (error instanceof CliError) return null;
      throw error;
    }
  }

  private systemctl(...args: string[]): Promise<{ stdout: string }> {
    return this.run('systemctl', '--user', ...args);
  }

  private async run(program: Program, ...args: string[]): Promise<{ stdout: string }> {
    try {
      return await this.runner.run({ program, args, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      throw new CliError(
        `A service needs systemd and a session of your user. \`${[program, ...args].join(' ')}\` says: ${error.message}`,
      );
    }
  }
}
