import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { rolldown } from './bundler.mjs';
import { writeLicenses } from './licenses.mjs';
import { fail, root } from './process.mjs';

const SOURCES = 'backend/src';

/** Entry points of Slipway, its threads and its work processes. The bundle has them in one folder, where `entryPoint` looks. */
const ENTRIES = [
  'main',
  'drivers/log-store/embedded/writer-thread',
  'drivers/log-store/embedded/search-thread',
  'modules/log-alerts/match-process',
  'modules/addons/release/addon-yaml-process',
  'drivers/package-manager/chart-process',
  'modules/kind-config/kind-config-process',
  'modules/kubeconfig/kubeconfig-process',
  'drivers/demo/demo-yaml-process',
  'modules/resources/manifests/resource-yaml-process',
  'modules/resources/schemas/schema-process',
  'drivers/package-manager/values/values-process',
];

/** What tests, measurements and scripts import of the built modules. */
const MODULE_ENTRIES = [
  ...ENTRIES,
  'apps/bootstrap',
  'apps/dashboard/create-dashboard',
  'apps/log-board/create-log-board',
  'core/config/index',
  'core/logging/index',
  'drivers/kubernetes/index',
  'drivers/log-store/embedded/index',
];

/** Data files and folders that modules read from their own folder. */
const ASSETS = [
  'modules/addons/catalog/catalog.yaml',
  'modules/kind-config/kind-config.schema.yaml',
  'drivers/demo/recorded',
];

/** What is not installed, and what Nest looks up as a package at run time. */
const EXTERNAL = [
  /^@nestjs\/(microservices|platform-socket\.io)/,
  /^@fastify\//,
  /^(ws|bufferutil|utf-8-validate|cpu-features|supports-color)$/,
  /^swagger-ui-dist/,
  /\.node$/,
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

/** A logo that Redoc loads from its vendor; no option turns it off. */
const FOREIGN_LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;

/** Packages of dockerode for engines behind ssh and for BuildKit, which Slipway does not use: 10 MB and 60 files. */
const UNUSED = /^(ssh2|@grpc\/grpc-js|@grpc\/proto-loader|protobufjs)$/;
const withoutUnused = {
  name: 'without-unused',
  resolveId: { filter: { id: UNUSED }, handler: () => '\0unused' },
  load: { filter: { id: /^\0unused$/ }, handler: () => 'module.exports = {};' },
};

const COMMON = {
  cwd: root,
  platform: 'node',
  tsconfig: 'tsconfig.json',
};

/** The bundle of the server and its packages. */
export function serverBundle(output) {
  return {
    ...COMMON,
    input: Object.fromEntries(ENTRIES.map((path) => [basename(path), join(SOURCES, `${path}.ts`)])),
    external: EXTERNAL,
    plugins: [withoutUnused],
    output: {
      dir: output,
      format: 'esm',
      // Names of classes are in logs and in the API's document.
      keepNames: true,
      sourcemap: true,
      // The source of what is loaded stays in memory as long as the process lives: without what only people read.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
  };
}

/** The modules one by one, beside their packages. */
function modulesBundle(output) {
  return {
    ...COMMON,
    input: MODULE_ENTRIES.map((path) => join(SOURCES, `${path}.ts`)),
    // All packages but the helpers of the bundler.
    external: /^(?!@oxc-project\/)[^./\0]/,
    output: {
      dir: output,
      format: 'esm',
      sourcemap: true,
      preserveModules: true,
      preserveModulesRoot: join(root, SOURCES),
    },
  };
}

/**
 * Bundles the server and its packages into a few files. Measured on two cores with the demo: it starts in 0.8 s and
 * takes 140 MB; with 2,800 single modules, 1.5 s and 171 MB.
 * @param output folder to replace.
 */
export async function bundleServer(output) {
  const chunks = (await write(serverBundle(output), output)).filter(({ type }) => type === 'chunk');
  for (const { fileName } of chunks) writeInAscii(join(output, fileName));
  copyServerAssets(output);
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  writeLicenses(join(output, '3rdpartylicenses.txt'), modules, Object.keys(VIEWERS));
}

/** Data files of the bundle: modules read them at run time, from its folder. */
export function copyServerAssets(output) {
  for (const asset of ASSETS)
    cpSync(join(root, SOURCES, asset), join(output, basename(asset)), { recursive: true });
  copyViewers(join(output, 'viewers'));
}

/** Writes the modules one by one, for tests, measurements and scripts, which import some of them. */
export async function buildModules(output) {
  await write(modulesBundle(output), output);
  for (const asset of ASSETS) cpSync(join(root, SOURCES, asset), join(output, asset), { recursive: true });
}

async function write({ output, ...input }, folder) {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown(input);
  try {
    return (await bundle.write(output)).output;
  } finally {
    await bundle.close();
  }
}

function copyViewers(folder) {
  mkdirSync(folder, { recursive: true });
  const { resolve } = createRequire(import.meta.url);
  for (const [name, files] of Object.entries(VIEWERS)) {
    const installed = dirname(resolve(`${name}/package.json`));
    for (const file of files) cpSync(join(installed, file), join(folder, basename(file)));
  }
  const redoc = join(folder, 'redoc.standalone.js');
  const script = readFileSync(redoc, 'utf8');
  if (!FOREIGN_LOGO.test(script)) fail('Redoc has another logo than scripts/bundle-server.mjs expects.');
  writeFileSync(redoc, script.replace(FOREIGN_LOGO, 'data:,'));
}

/**
 * V8 stores a file with any character beyond Latin 1 with two bytes per character. After minification, such characters
 * are only in strings and regexes, where an escape has the same meaning. This saves 4 MB.
 */
function writeInAscii(file) {
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/[^\0-\x7f]/g, escaped));
}
