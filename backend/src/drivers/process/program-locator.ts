import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Configuration } from '../../core/config/index.js';
import type { Program } from './process-runner.js';

/** Short, so that a newly installed program is found without a restart. */
const CACHE_MS = 5000;

/** Finds programs at their configured path, on PATH, and in the usual folders of installers. */
export class ProgramLocator {
  private readonly found = new Map<Program, { path: string | undefined; at: number }>();

  constructor(private readonly configuration: Configuration) {}

  async locate(program: Program): Promise<string | undefined> {
    const known = this.found.get(program);
    if (known && performance.now() - known.at < CACHE_MS) return known.path;
    const path = await this.search(program);
    this.found.set(program, { path, at: performance.now() });
    return path;
  }

  /** The PATH of started programs: the user's, then the usual folders. */
  searchPath(): string {
    return this.folders().join(delimiter);
  }

  private async search(program: Program): Promise<string | undefined> {
    const { kind, helm } = this.configuration.values;
    const configured = program === 'kind' ? kind : program === 'helm' ? helm : '';
    // Falling back to another copy would hide a mistake in the configuration.
    if (configured) return (await isExecutable(configured)) ? configured : undefined;
    for (const folder of this.folders()) {
      const path = join(folder, program);
      if (await isExecutable(path)) return path;
    }
    return undefined;
  }

  private folders(): string[] {
    const { environment, platform } = this.configuration;
    const home = environment['HOME'] ?? homedir();
    const path = (environment['PATH'] ?? '').split(delimiter);
    // The PATH of desktop entries and services lacks these.
    const usual =
      platform === 'darwin'
        ? [
            '/opt/homebrew/bin',
            '/usr/local/bin',
            '/opt/podman/bin',
            join(home, '.docker', 'bin'),
            join(home, '.rd', 'bin'),
          ]
        : ['/usr/local/bin', '/usr/bin', '/bin', join(home, '.local', 'bin'), join(home, '.rd', 'bin')];
    return [...new Set([...path, ...usual, join(home, 'go', 'bin')])].filter((folder) => isAbsolute(folder));
  }
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
