import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { defineConfig } from 'rolldown';
import { writeLicenses } from './licenses.mjs';
import { root } from './process.mjs';

const SOURCES = join(root, 'backend', 'src');
const OUTPUT = join(root, 'dist', 'server');

/**
 * Slipway, its threads, and the first file of work processes with those that they import: the bundle has them in one folder, where
 * `entryPoint` looks.
 */
const ENTRIES = globSync(['main.ts', '**/*-{thread,process}.ts'], { cwd: SOURCES });

/** Data files and folders that modules read from their own folder. */
const ASSETS = [
  'modules/addons/catalog/catalog.yaml',
  'modules/kind-config/kind-config.schema.yaml',
  'core/kubeconfig/kubeconfig.schema.yaml',
  'drivers/demo/recorded',
];

/** Swagger UI at /docs and Redoc at /redoc, which load only when they are opened. */
const VIEWERS = {
  'swagger-ui-dist': [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-standalone-preset.js',
    'swagger-ui-bundle.js.LICENSE.txt',
  ],
  redoc: ['bundles/redoc.standalone.js'],
};

/** Of Swagger UI; the pages have them, too, with their licenses. */
const FONTS = {
  '@fontsource-variable/inter': ['files/inter-latin-wght-normal.woff2'],
  '@fontsource-variable/jetbrains-mono': ['files/jetbrains-mono-latin-wght-normal.woff2'],
};

/** Of the product for Swagger UI, whose own dark theme they replace. The tokens are plain CSS. */
const STYLES = join(root, 'frontend', 'src', 'shared', 'styles');

/** A logo that Redoc loads from its vendor; no option turns it off. */
const FOREIGN_LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;

function copyViewers(folder) {
  mkdirSync(folder);
  const { resolve } = createRequire(import.meta.url);
  for (const [name, files] of Object.entries({ ...VIEWERS, ...FONTS })) {
    const installed = dirname(resolve(`${name}/package.json`));
    for (const file of files) copyFileSync(join(installed, file), join(folder, basename(file)));
  }
  const redoc = join(folder, 'redoc.standalone.js');
  const script = readFileSync(redoc, 'utf8');
  const local = script.replace(FOREIGN_LOGO, 'data:,');
  if (local === script) throw new Error('Redoc has another logo than scripts/rolldown.config.mjs expects.');
  writeFileSync(redoc, local);
  const styles = join(folder, 'swagger-ui.css');
  const swagger = readFileSync(styles, 'utf8').replaceAll('html.dark-mode', 'html:not(*)');
  const own = ['_tokens.scss', 'swagger-ui.css'].map((name) => readFileSync(join(STYLES, name), 'utf8'));
  writeFileSync(styles, [swagger, ...own].join('\n'));
}

/** `ws` is beside an installed package. Ajv has the others in texts, for code that it could write to a file. */
const FOUND = /^(ws$|ajv)/;
const REQUIRE = /\b(?:require|createRequire\(import\.meta\.url\))\(["'`]([^"'`]+)["'`]\)/g;

/** Rolldown leaves such calls as they are. They work in this folder, and fail where Slipway is installed. */
function assertComplete(bundle) {
  for (const { fileName, code = '' } of Object.values(bundle)) {
    const names = [...code.matchAll(REQUIRE)].map(([, name]) => name);
    const missing = names.filter((name) => !isBuiltin(name) && !FOUND.test(name));
    if (missing.length > 0) {
      throw new Error(`${fileName} requires ${missing.join(', ')} at run time. Do not use what does that.`);
    }
  }
}

/** Files that the bundle reads at run time, and the licenses of its packages. */
const files = {
  name: 'files',
  writeBundle(_, bundle) {
    assertComplete(bundle);
    for (const asset of ASSETS)
      cpSync(join(SOURCES, asset), join(OUTPUT, basename(asset)), { recursive: true });
    copyViewers(join(OUTPUT, 'viewers'));
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const packaged = modules.filter((id) => !id.startsWith('\0'));
    writeLicenses(join(OUTPUT, '3rdpartylicenses.txt'), packaged, Object.keys(VIEWERS));
  },
};

/** The bundle of the server and its packages. Its figures: docs/decisions/0016-bundled-server.md. */
export default defineConfig({
  cwd: root,
  platform: 'node',
  tsconfig: 'tsconfig.json',
  input: Object.fromEntries(ENTRIES.map((path) => [basename(path, '.ts'), join(SOURCES, path)])),
  // Packages that are not installed, and packages that Nest resolves at run time.
  external: [
    /^@nestjs\/(microservices|platform-socket\.io)/,
    /^@fastify\//,
    /^(ws|bufferutil|utf-8-validate|cpu-features|supports-color)$/,
    /^swagger-ui-dist/,
    /\.node$/,
  ],
  // Packages of dockerode for engines behind ssh and for BuildKit, which Slipway does not use: 10 MB.
  resolve: {
    alias: { ssh2: false, '@grpc/grpc-js': false, '@grpc/proto-loader': false, protobufjs: false },
  },
  plugins: [files],
  output: {
    dir: OUTPUT,
    cleanDir: true,
    format: 'esm',
    // Names of classes are in logs and in the API's document.
    keepNames: true,
    sourcemap: true,
    // The source of loaded modules stays in memory as long as the process lives.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  },
});
