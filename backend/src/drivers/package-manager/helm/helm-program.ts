import { DomainError, reasonOf } from '../../../core/errors/index.js';
import type { ProcessRunner } from '../../process/index.js';
import type { PackageManagerStatus } from '../package-manager.js';

const INSTALL_PAGE = 'https://helm.sh/docs/intro/install/';
const CACHE_MS = 30_000;
/** The first versions without known vulnerabilities. Older ones work, with a warning. */
const SAFE = { 3: '3.20.2', 4: '4.1.4' } as const;

export class HelmProgram {
  private known: { status: PackageManagerStatus; at: number; path: string } | undefined;

  constructor(private readonly processes: ProcessRunner) {}

  async status(): Promise<PackageManagerStatus> {
    const path = await this.processes.locate('helm');
    if (!path) return unusable('helm is not installed.');
    const { known } = this;
    if (known?.path === path && performance.now() - known.at < CACHE_MS) return known.status;
    const status = await this.read(path);
    this.known = { status, at: performance.now(), path };
    return status;
  }

  /** @throws DomainError `package_manager_unavailable` */
  async majorVersion(): Promise<3 | 4> {
    const { problem, version } = await this.status();
    if (problem) {
      throw new DomainError(
        'package_manager_unavailable',
        `${problem.reason} Get it from ${problem.fix}`,
        problem,
      );
    }
    return majorOf(version ?? '');
  }

  private async read(path: string): Promise<PackageManagerStatus> {
    try {
      const { stdout } = await this.processes.run({
        program: 'helm',
        args: ['version', '--short'],
        timeoutMs: 5000,
      });
      // "v3.16.2+g13654a5"
      const version = /^v(\d+\.\d+\.\d+)/.exec(stdout.trim())?.[1];
      if (version === undefined) return unusable(`${path} does not report its version.`);
      if (!/^[34]\./.test(version)) {
        return { ...unusable(`helm ${version} is not supported: version 3 or 4 is required.`), version };
      }
      return { name: 'helm', version, problem: null, warning: warningOf(version) };
    } catch (error) {
      return unusable(`${path} does not work: ${reasonOf(error)}`);
    }
  }
}

function majorOf(version: string): 3 | 4 {
  return version.startsWith('3.') ? 3 : 4;
}

function warningOf(version: string): string | null {
  const safe = SAFE[majorOf(version)];
  return version.localeCompare(safe, 'en', { numeric: true }) < 0
    ? `helm ${version} has known vulnerabilities that malicious charts can exploit. Upgrade to ${safe} or later: ${INSTALL_PAGE}`
    : null;
}

function unusable(reason: string): PackageManagerStatus {
  return { name: 'helm', version: null, problem: { reason, fix: INSTALL_PAGE }, warning: null };
}
