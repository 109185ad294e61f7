import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readProject } from '../../backend/src/core/config/project.js';
import { sourceFiles, textOf } from './source-tree.js';

const { root } = readProject();
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...sourceFiles('docs', /\.md$/),
];
const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

/** Every place in `files` where `pattern` occurs, as `file:line`. */
function placesOf(pattern: RegExp, files: readonly string[]): string[] {
  return files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
}

describe('the tests', () => {
  const specs = sourceFiles('.', /\.(spec|test|e2e)\.ts$/).filter(
    (file) => !file.startsWith('test/fixtures/'),
  );

  it('are neither skipped, nor run alone, nor left to be written', () => {
    expect(specs.length).toBeGreaterThan(3);
    const silenced =
      /^\s*(?:(?:describe|it|test)(?:\.\w+)*\.(?:skip|only|todo|fixme|failing|fail)\b|(?:xit|xtest|xdescribe|fit|fdescribe)\()/m;
    expect(placesOf(silenced, [...specs, ...sourceFiles('test', /\.ts$/)])).toEqual([]);
  });

  it('all belong to a suite', () => {
    const suites = [
      /^backend\/src\//,
      /^frontend\/src\//,
      /^test\/(api|browser|cli|contract|faults|architecture|fuzz|package|real)\//,
    ];
    expect(specs.filter((file) => !suites.some((suite) => suite.test(file)))).toEqual([]);
  });
});

describe('the repository', () => {
  it('has a compose.yaml for the image of this version', () => {
    expect(textOf('compose.yaml')).toContain(`image: slipway:${readProject().version}\n`);
  });

  it('holds nothing of the machine that it was made on', () => {
    const registry = process.env['npm_config_registry'] ?? 'https://registry.npmjs.org/';
    const host = new URL(registry).host;
    const local = [root, ...(host === 'registry.npmjs.org' ? [] : [host])].filter(
      (word) => word.split(/[/.]/).filter(Boolean).length > 1,
    );
    const mentions = sourceFiles().filter((file) => local.some((word) => textOf(file).includes(word)));
    expect(mentions).toEqual([]);
  });

  it('has a lockfile from which npm ci installs', () => {
    // `npm ci` compares both files before it does anything; offline, it could not fill a gap by itself.
    const { status, stderr } = spawnSync(
      'npm',
      ['ci', '--dry-run', '--offline', '--no-audit', '--loglevel=error'],
      { cwd: root, encoding: 'utf8', timeout: 60_000 },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('npm error') });
  });

  it('lets no package run a script when it is installed', () => {
    expect(textOf('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    expect(textOf('package.json')).not.toContain('allowScripts');
  });

  it('has settings by which npm runs no install script of a package', () => {
    const folder = mkdtempSync(join(tmpdir(), 'install-'));
    const install = (...more: string[]): string => {
      rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
      const flags = ['--install-links', '--offline', '--no-audit', '--loglevel=error', ...more];
      const { status, stderr } = spawnSync('npm', ['install', ...flags], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 60_000,
      });
      expect({ status, stderr }).toMatchObject({ status: 0 });
      return readdirSync(join(folder, 'node_modules', 'guest')).join(' ');
    };
    try {
      mkdirSync(join(folder, 'guest'));
      const scripts = { install: "node -e \"fs.writeFileSync('ran', '')\"" };
      for (const [path, content] of [
        ['guest/package.json', { name: 'guest', version: '1.0.0', scripts }],
        [
          'package.json',
          { private: true, dependencies: { guest: 'file:guest' }, allowScripts: { guest: true } },
        ],
      ] as const) {
        writeFileSync(join(folder, path), JSON.stringify(content));
      }
      writeFileSync(join(folder, '.npmrc'), textOf('.npmrc'));
      expect(install('--ignore-scripts=false')).toBe('package.json ran');
      expect(install()).toBe('package.json');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('has a lockfile that works with every registry', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, { resolved?: string; link?: boolean }>;
    };
    // Links to workspaces are not from a registry.
    const entries = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link);
    expect(entries.length).toBeGreaterThan(500);
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  it('has every script that package.json names', () => {
    const files = Object.values(scripts).flatMap((command) => command.match(/scripts\/[\w-]+\.mjs/g) ?? []);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('has a continuous integration script that can be run', () => {
    expect(statSync(join(root, '.ci/run')).mode & 0o111).not.toBe(0);
  });
});

describe('the documents', () => {
  it('name only commands that exist', () => {
    const unknown = [...documents, '.ci/run'].flatMap((file) =>
      [...textOf(file).matchAll(/\bnpm run (?:--silent )?([\w:-]+)|`npm ([\w:-]+)`/g)]
        .filter(([, run, own]) => !((run ?? own ?? '') in scripts))
        .map(([whole]) => `${file}: ${whole}`),
    );
    expect(unknown).toEqual([]);
  });

  it('name only files of the sources that are there', () => {
    const broken = documents.flatMap((file) =>
      [...textOf(file).matchAll(/`((?:backend|frontend|test|scripts)\/[\w./-]+)`/g)]
        .map((match) => match[1] ?? '')
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${file}: ${path}`),
    );
    expect(broken).toEqual([]);
  });
});
