import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rootCertificates } from 'node:tls';
import { fail, nodeProgram, root, run, say } from './process.mjs';

/**
 * Fills `dist/image`, from which the Dockerfile copies, and builds the image `slipway:VERSION`.
 *
 * Usage: node scripts/image.mjs [--package FILE] [--programs FOLDER] [--fill-only] [--tag NAME]
 *
 * The npm package is by default the one that `scripts/release.mjs` makes of this checkout. The programs are built with Go
 * from the modules in `scripts/image/programs`, whose go.mod and go.sum pin all versions. `--programs` takes static ones
 * of a folder instead.
 */
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const {
  values: { package: given, programs, tag = `slipway:${version}`, 'fill-only': isFillOnly = false },
} = parseArgs({
  options: {
    package: { type: 'string' },
    programs: { type: 'string' },
    tag: { type: 'string' },
    'fill-only': { type: 'boolean' },
  },
});

const SOURCES = join(root, 'scripts', 'image', 'programs');
/** The package of each program, and the variable of its linker with the version. */
const PROGRAMS = {
  kind: { package: 'sigs.k8s.io/kind', module: 'sigs.k8s.io/kind' },
  helm: {
    package: 'helm.sh/helm/v4/cmd/helm',
    module: 'helm.sh/helm/v4',
    version: 'helm.sh/helm/v4/internal/version.version',
    // For charts that are rendered without a cluster, as in helm's own Makefile.
    kubernetes: 'helm.sh/helm/v4/pkg/chart/common.k8sVersion',
  },
  kubectl: { package: '.', module: 'k8s.io/kubectl', version: 'k8s.io/component-base/version.gitVersion' },
  // Not Debian's, which is too old for the API of Docker 29.
  docker: {
    package: 'github.com/docker/cli/cmd/docker',
    module: 'github.com/docker/cli',
    version: 'github.com/docker/cli/cli/version.Version',
  },
};
const image = join(root, 'dist', 'image');

const packed = await packageFile();
rmSync(image, { recursive: true, force: true });
mkdirSync(join(image, 'etc', 'ssl', 'certs'), { recursive: true });
// The volume: the Dockerfile gives the folder to the user of the image.
mkdirSync(join(image, 'data', 'home'), { recursive: true });
// debian:bookworm-slim has no certificates, which helm needs. Node brings those of Mozilla.
writeFileSync(join(image, 'etc', 'ssl', 'certs', 'ca-certificates.crt'), `${rootCertificates.join('\n')}\n`);
const folder = programs ?? (await builtPrograms());
for (const name of Object.keys(PROGRAMS))
  cpSync(join(folder, name), join(image, 'bin', name), { dereference: true });
await installPackage(packed);
if (!isFillOnly) {
  await must('docker', ['build', `--tag=${tag}`, `--build-arg=VERSION=${version}`, '.']);
  say(`built the image ${tag}`);
}

/** @returns the folder of the programs, cached outside the clone by everything that they are made from. */
async function builtPrograms() {
  const { output: go } = await must('go', ['version'], { quiet: true });
  const builds = Object.entries(PROGRAMS).map(([name, program]) => [
    name,
    ['-trimpath', '-buildvcs=false', `-ldflags=${linkerFlags(name, program)}`],
    program.package,
  ]);
  const key = createHash('sha256').update(go).update(JSON.stringify(builds));
  for (const name of readdirSync(SOURCES, { recursive: true }).toSorted()) {
    if (/\.(mod|sum|go)$/.test(name)) key.update(name).update(readFileSync(join(SOURCES, name)));
  }
  const folder = join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    'slipway-image',
    key.digest('hex').slice(0, 12),
  );
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  for (const [name, flags, main] of builds) {
    say(`building ${name} ${versionOf(name, PROGRAMS[name].module)}, once for ${folder}`);
    const output = `-o=${join(unfinished, name)}`;
    await must('go', ['build', `-C=${join(SOURCES, name)}`, ...flags, output, main], {
      environment: { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' },
    });
  }
  renameSync(unfinished, folder);
  return folder;
}

function linkerFlags(name, { module, version: variable, kubernetes }) {
  const values = [];
  // Libraries of Kubernetes v1 have the major version 0.
  if (variable !== undefined) {
    values.push(`${variable}=${versionOf(name, module).replace(/^v0\./, 'v1.')}`);
  }
  if (kubernetes !== undefined) {
    const [, minor] = versionOf(name, 'k8s.io/client-go').split('.');
    values.push(`${kubernetes}Major=1`, `${kubernetes}Minor=${minor}`);
  }
  return ['-s', '-w', ...values.map((value) => `-X ${value}`)].join(' ');
}

/** The version of a module in the go.mod of a program. */
function versionOf(name, module) {
  const text = readFileSync(join(SOURCES, name, 'go.mod'), 'utf8');
  const [, number] = new RegExp(`\\s${module.replaceAll('.', '\\.')} (v[\\d.]+)`).exec(text) ?? [];
  if (number === undefined) fail(`scripts/image/programs/${name}/go.mod has no version of ${module}`);
  return number;
}

/** The package of this checkout, unless one is given. */
async function packageFile() {
  if (given !== undefined) return resolve(given);
  await must(nodeProgram(), [join(root, 'scripts', 'release.mjs'), '--skip-checks']);
  return join(root, 'dist', 'release', `slipway-${version}.tgz`);
}

async function installPackage(file) {
  say(`installing ${file}`);
  const options = [
    '--ignore-scripts',
    '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--loglevel=error',
  ];
  const target = join(image, 'slipway');
  await must('npm', ['install', `--prefix=${target}`, ...options, file]);
  // Headers for add-ons in C++, 67 MB.
  rmSync(join(target, 'node_modules', `node-linux-${process.arch}`, 'include'), {
    recursive: true,
    force: true,
  });
}

async function must(program, args, options) {
  const result = await run(program, args, options);
  if (result.status !== 0) fail(`${program} failed. ${result.output}`);
  return result;
}
