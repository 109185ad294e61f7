import { DomainError, reasonOf } from '../../../core/errors/index.js';
import type { ProcessRunner } from '../../process/index.js';
import type { PackageManagerStatus } from '../package-manager.js';

const INSTALL_PAGE = 'https://helm.sh/docs/intro/install/';
const TRUSTED_FOR_MS = 30_000;
/** The first of each major version without the holes that were closed in it: older ones work, and are warned of. */
const SAFE = { 3: [3, 20, 2], 4: [4, 1, 4] } as const;

export interface HelmVersion {
  major: 3 | 4;
  text: string;
}

/** The helm program as it is on this machine. */
export class HelmProgram {
  private known: { status: PackageManagerStatus; at: number; path: string } | undefined;

  constructor(private readonly processes: ProcessRunner) {}

  async status(): Promise<PackageManagerStatus> {
    const path = await this.processes.locate('helm');
    if (!path) return unusable('helm is not on this machine.');
    const { known } = this;
    if (known?.path === path && performance.now() - known.at < TRUSTED_FOR_MS) return known.status;
    const status = await this.ask(path);
    this.known = { status, at: performance.now(), path };
    return status;
  }

  /** @throws DomainError `package_manager_unavailable` */
  async version(): Promise<HelmVersion> {
    const { problem, version } = await this.status();
    if (problem || version === null) {
      const { reason, fix } = problem ?? { reason: 'helm does not tell its version.', fix: INSTALL_PAGE };
      throw new DomainError('package_manager_unavailable', `${reason} Get it from ${fix}`, { reason, fix });
    }
    return { major: version.startsWith('3.') ? 3 : 4, text: version };
  }

  private async ask(path: string): Promise<PackageManagerStatus> {
    try {
      const { stdout } = await this.processes.run({
        program: 'helm',
        args: ['version', '--short'],
        timeoutMs: 5000,
      });
      // "v3.16.2+g13654a5"; both majors write it so.
      const version = /^v(\d+\.\d+\.\d+)/.exec(stdout.trim())?.[1];
      if (version === undefined) return unusable(`${path} does not tell its version.`);
      if (!/^[34]\./.test(version)) {
        return { ...unusable(`helm ${version} is none that is known here: 3 or 4 is needed.`), version };
      }
      return { name: 'helm', version, problem: null, warning: warningOf(version) };
    } catch (error) {
      return unusable(`${path} does not work: ${reasonOf(error)}`);
    }
  }
}

function warningOf(version: string): string | null {
  const parts = version.split('.').map(Number);
  const safe = parts[0] === 3 ? SAFE[3] : SAFE[4];
  for (const [index, part] of safe.entries()) {
    const own = parts[index] ?? 0;
    if (own > part) return null;
    if (own < part) {
      return `helm ${version} has holes that ${safe.join('.')} closed: charts of others can reach further than they should. Get a newer one from ${INSTALL_PAGE}`;
    }
  }
  return null;
}

function unusable(reason: string): PackageManagerStatus {
  return { name: 'helm', version: null, problem: { reason, fix: INSTALL_PAGE }, warning: null };
}
