import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Configuration } from '../../core/config/index.js';
import type { Program } from './process-runner.js';

/** How long a finding is trusted: short, so that a program installed meanwhile is seen without a restart. */
const TRUSTED_FOR_MS = 5000;

/** Finds the programs: where the configuration says, on PATH, and where installers put them beside it. */
export class ProgramLocator {
  private readonly found = new Map<Program, { path: string | undefined; at: number }>();

  constructor(private readonly configuration: Configuration) {}

  async locate(program: Program): Promise<string | undefined> {
    const known = this.found.get(program);
    if (known && performance.now() - known.at < TRUSTED_FOR_MS) return known.path;
    const path = await this.search(program);
    this.found.set(program, { path, at: performance.now() });
    return path;
  }

  /** PATH as children get it: the user's own, then the places beside it. */
  searchPath(): string {
    return this.folders().join(delimiter);
  }

  private async search(program: Program): Promise<string | undefined> {
    const { kind, helm } = this.configuration.values;
    const configured = program === 'kind' ? kind : program === 'helm' ? helm : '';
    // What the user names is used or reported missing; falling back to another copy would hide the mistake.
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
    const usual = (environment['PATH'] ?? '').split(delimiter);
    // A server started from a desktop entry or a service has a PATH that lacks these.
    const beside =
      platform === 'darwin'
        ? [
            '/opt/homebrew/bin',
            '/usr/local/bin',
            '/opt/podman/bin',
            join(home, '.docker', 'bin'),
            join(home, '.rd', 'bin'),
          ]
        : ['/usr/local/bin', '/usr/bin', '/bin', join(home, '.local', 'bin'), join(home, '.rd', 'bin')];
    return [...new Set([...usual, ...beside, join(home, 'go', 'bin')])].filter((folder) =>
      isAbsolute(folder),
    );
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
