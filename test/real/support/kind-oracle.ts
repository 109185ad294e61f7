import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { KindResult } from '../../support/kind-configs/corpus.js';

const SOURCE = join(__dirname, '../kind-oracle/main.go');
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'slipway-kind-oracle');

/** The version of the kind on PATH, such as `v0.33.0`. */
export function kindVersion(): string {
  const [version] = /\bv?\d+\.\d+\.\d+\S*/.exec(output('kind', ['--version'])) ?? [];
  if (version === undefined) throw new Error('kind --version prints no version');
  return version.startsWith('v') ? version : `v${version}`;
}

/**
 * Runs the decoder of kind on configs. Its packages are internal, so the program is built inside a copy of the module of
 * that version, which Go downloads once.
 */
export function runKind(version: string, texts: readonly string[]): KindResult[] {
  const program = build(version);
  const input = JSON.stringify(texts);
  return JSON.parse(output(program, [], { input })) as KindResult[];
}

function build(version: string): string {
  const copy = join(CACHE, version);
  if (!existsSync(copy)) copyModule(version, copy);
  const folder = join(copy, 'pkg', 'slipway-oracle');
  mkdirSync(folder, { recursive: true });
  cpSync(SOURCE, join(folder, 'main.go'));
  const program = join(folder, 'oracle');
  output('go', ['build', '-o', program, '.'], { cwd: folder });
  return program;
}

function copyModule(version: string, copy: string): void {
  mkdirSync(CACHE, { recursive: true });
  const download = output('go', ['mod', 'download', '-json', `sigs.k8s.io/kind@${version}`], { cwd: CACHE });
  const { Dir: folder } = JSON.parse(download) as { Dir: string };
  const part = `${copy}.${process.pid}`;
  // The files of Go's cache are read-only.
  cpSync(folder, part, { recursive: true, filter: (from) => !from.endsWith('_test.go') });
  for (const place of ['', 'pkg']) chmodSync(join(part, place), 0o755);
  try {
    renameSync(part, copy);
  } catch (error) {
    // Another run has copied it meanwhile.
    rmSync(part, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
}

function output(
  command: string,
  parameters: string[],
  options: { cwd?: string; input?: string } = {},
): string {
  return execFileSync(command, parameters, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod' },
  });
}
