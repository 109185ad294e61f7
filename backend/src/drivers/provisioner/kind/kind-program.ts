import { readFile, stat } from 'node:fs/promises';
import { reasonOf } from '../../../core/errors/index.js';
import type { ProcessRunner } from '../../process/index.js';
import type { ProvisionerStatus } from '../cluster-provisioner.js';
import { tagsOfRelease } from './kind-releases.js';

/** The oldest version whose messages and labels are those of current versions. */
const OLDEST = '0.20.0';
const CACHE_MS = 30_000;
const INSTALL_PAGE = 'https://kind.sigs.k8s.io/docs/user/quick-start/#installation';

export class KindProgram {
  private known: { status: ProvisionerStatus; at: number; fingerprint: string } | undefined;

  constructor(private readonly processes: ProcessRunner) {}

  async status(): Promise<ProvisionerStatus> {
    const path = await this.processes.locate('kind');
    if (!path) return unusable('kind is not installed. Slipway needs it to create clusters.');
    const { size, mtimeMs } = await stat(path);
    const fingerprint = `${path}:${size}:${mtimeMs}`;
    const { known } = this;
    if (known?.fingerprint === fingerprint && performance.now() - known.at < CACHE_MS) return known.status;
    const status = await this.read(path);
    this.known = { status, at: performance.now(), fingerprint };
    return status;
  }

  private async read(path: string): Promise<ProvisionerStatus> {
    let output: string;
    try {
      const args = ['version'];
      ({ stdout: output } = await this.processes.run({ program: 'kind', args, timeoutMs: 5000 }));
    } catch (error) {
      return unusable(`${path} does not work: ${reasonOf(error)}`);
    }
    // "kind v0.33.0 go1.26.8 linux/amd64", or "v0.34.0-alpha+…" for a development build.
    const match = /\bv((\d+\.\d+)\.\d+\S*)/.exec(output);
    if (!match) return unusable(`${path} does not report its version.`);
    const [, version = '', release = ''] = match;
    if (version.localeCompare(OLDEST, 'en', { numeric: true }) < 0) {
      return { ...unusable(`kind ${version} is too old: ${OLDEST} or later is required.`), version };
    }
    return { name: 'kind', version, problem: null, ...tagsOfRelease(release, await defaultTagOf(path)) };
  }
}

function unusable(reason: string): ProvisionerStatus {
  return {
    name: 'kind',
    version: null,
    problem: { reason, fix: INSTALL_PAGE },
    defaultTag: null,
    fittingTags: [],
    kubernetesRange: null,
    loadBalancerImage: null,
  };
}

/** kind has no command that prints it (kubernetes-sigs/kind#2376), but its binary contains it as one string. */
async function defaultTagOf(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    // Smaller files are wrapper scripts, and larger ones are not kind.
    if (size < 1_000_000 || size > 100_000_000) return undefined;
    const text = (await readFile(path)).toString('latin1');
    return /kindest\/node:(v\d+\.\d+\.\d+@sha256:[0-9a-f]{64})/.exec(text)?.[1];
  } catch {
    // Executable, but not readable.
    return undefined;
  }
}
