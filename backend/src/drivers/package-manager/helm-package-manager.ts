import { reasonOf } from '../../core/errors/index.js';
import type { ProcessRunner } from '../process/index.js';
import { PackageManager, type PackageManagerStatus } from './package-manager.js';

const INSTALL_PAGE = 'https://helm.sh/docs/intro/install/';

/** The helm program, of its third and fourth major version. */
export class HelmPackageManager extends PackageManager {
  constructor(private readonly processes: ProcessRunner) {
    super();
  }

  override async status(): Promise<PackageManagerStatus> {
    const path = await this.processes.locate('helm');
    if (!path) return unusable('helm is not on this machine.');
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
      return { name: 'helm', version, problem: null };
    } catch (error) {
      return unusable(`${path} does not work: ${reasonOf(error)}`);
    }
  }
}

function unusable(reason: string): PackageManagerStatus {
  return { name: 'helm', version: null, problem: { reason, fix: INSTALL_PAGE } };
}
