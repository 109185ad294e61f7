import { readFile, stat } from 'node:fs/promises';
import { reasonOf } from '../../../core/errors/index.js';
import { CommandError, type ProcessRunner } from '../../process/index.js';
import type { ProvisionerStatus } from '../cluster-provisioner.js';
import { tagsOfRelease } from './kind-releases.js';

/** Oldest kind that the product drives: the first whose messages and labels are those of today. */
const OLDEST = [0, 20, 0] as const;
const TRUSTED_FOR_MS = 30_000;
const INSTALL_PAGE = 'https://kind.sigs.k8s.io/docs/user/quick-start/#installation';

/** The kind program as it is on this machine: which version, and which node image it was made with. */
export class KindProgram {
  private known: { status: ProvisionerStatus; at: number; fingerprint: string } | undefined;

  constructor(private readonly processes: ProcessRunner) {}

  async status(): Promise<ProvisionerStatus> {
    const path = await this.processes.locate('kind');
    if (!path) return missing();
    const fingerprint = await fingerprintOf(path);
    if (
      this.known &&
      this.known.fingerprint === fingerprint &&
      performance.now() - this.known.at < TRUSTED_FOR_MS
    ) {
      return this.known.status;
    }
    const status = await this.ask(path);
    this.known = { status, at: performance.now(), fingerprint };
    return status;
  }

  private async ask(path: string): Promise<ProvisionerStatus> {
    let output: string;
    try {
      ({ stdout: output } = await this.processes.run({
        program: 'kind',
        args: ['version'],
        timeoutMs: 5000,
      }));
    } catch (error) {
      const reason = error instanceof CommandError ? error.message : reasonOf(error);
      return { ...missing(), problem: { reason: `${path} does not work: ${reason}`, fix: INSTALL_PAGE } };
    }
    // "kind v0.33.0 go1.26.8 linux/amd64"; development builds say "v0.34.0-alpha+…".
    const match = /\bv(\d+)\.(\d+)\.(\d+)\S*/.exec(output);
    if (!match) {
      return { ...missing(), problem: { reason: `${path} does not tell its version.`, fix: INSTALL_PAGE } };
    }
    const version = [Number(match[1]), Number(match[2]), Number(match[3])];
    const text = match[0].slice(1);
    if (isOlder(version, OLDEST)) {
      return {
        ...missing(),
        version: text,
        problem: {
          reason: `kind ${text} is too old: ${OLDEST.join('.')} or newer is needed.`,
          fix: INSTALL_PAGE,
        },
      };
    }
    const tags = tagsOfRelease(`${version[0]}.${version[1]}`, await defaultTagOf(path));
    return { name: 'kind', version: text, problem: null, ...tags };
  }
}

function missing(): ProvisionerStatus {
  return {
    name: 'kind',
    version: null,
    problem: { reason: 'kind is not on this machine, and it is what makes the clusters.', fix: INSTALL_PAGE },
    defaultTag: null,
    fittingTags: [],
    kubernetesRange: null,
    loadBalancerImage: null,
  };
}

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  for (const [index, part] of than.entries()) {
    const own = version[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}

async function fingerprintOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${path}:${size}:${mtimeMs}`;
}

/**
 * The image that the program uses when none is named. kind has no command that tells (kubernetes-sigs/kind
 * #2376), but the reference stands in the binary as one string with its digest.
 */
async function defaultTagOf(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    // A wrapper script of a version manager is small; a binary beyond this is not kind.
    if (size < 1_000_000 || size > 100_000_000) return undefined;
    const text = (await readFile(path)).toString('latin1');
    return /kindest\/node:(v\d+\.\d+\.\d+@sha256:[0-9a-f]{64})/.exec(text)?.[1];
  } catch {
    // Executable but not readable: the table of releases must do.
    return undefined;
  }
}
