import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { shippedPackages } from './licenses.mjs';
import { fail, root, run, say } from './process.mjs';

/** Packages whose files the pages have. */
const FONTS = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'];
const RELEASE = join(root, 'dist', 'release');
const PACKAGE = join(root, 'dist', 'package');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { name, version, dependencies, optionalDependencies } = manifest;

/**
 * Makes the files of a release in `dist/release`: the npm package, its SBOM and checksums. `--skip-checks` leaves out the
 * checks of `prepack`, and `--package` makes only the folder of the package, `dist/package`, for the image.
 */
const options = process.argv.slice(2);
if (options.length === 0) await npm('run', 'prepack');
await ensureBuilt(['server', 'frontend']);
await writePackage();
if (!options.includes('--package')) await writeRelease();

/** The package runs on an older Node than its build, and is not built again. */
async function writePackage() {
  rmSync(PACKAGE, { recursive: true, force: true });
  const [packed] = JSON.parse(await npm('pack', '--dry-run', '--json'));
  for (const { path } of packed.files) cpSync(join(root, path), join(PACKAGE, path));
  const released = { ...manifest, engines: { node: '>=22.15' } };
  for (const field of ['scripts', 'workspaces', 'devDependencies', 'overrides']) delete released[field];
  writeFileSync(join(PACKAGE, 'package.json'), `${JSON.stringify(released, null, 2)}\n`);
}

async function writeRelease() {
  rmSync(RELEASE, { recursive: true, force: true });
  mkdirSync(RELEASE);
  await npm('pack', PACKAGE, `--pack-destination=${RELEASE}`);
  const files = [`${name}-${version}.tgz`, `${name}-${version}.cdx.json`];
  writeFileSync(join(RELEASE, files[1]), await billOfMaterials());
  writeFileSync(join(RELEASE, 'SHA256SUMS'), files.map((file) => `${sha256(file)}  ${file}\n`).join(''));
  rmSync(PACKAGE, { recursive: true });
  say(`made ${files.join(', ')} and SHA256SUMS in ${RELEASE}`);
}

/**
 * The SBOM (CycloneDX) of what is shipped: npm's, of which only the packages in the bundles remain, and those that are
 * installed beside them.
 */
async function billOfMaterials() {
  // Without --omit=dev, which also leaves out what development and the product need both.
  const bom = JSON.parse(await npm('sbom', '--sbom-format=cyclonedx', '--sbom-type=application'));
  const beside = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...FONTS];
  const licenses = new Map([...beside.map((other) => [other, undefined]), ...shippedPackages()]);
  const nameOf = (component) => [component.group, component.name].filter(Boolean).join('/');
  const components = bom.components.filter((component) => licenses.has(nameOf(component)));
  for (const component of components) {
    const id = licenses.get(nameOf(component));
    if (id) component.licenses ??= [{ license: { id } }];
  }
  // npm names the project after its folder.
  bom.metadata.component.name = name;
  const kept = new Set([bom.metadata.component, ...components].map((component) => component['bom-ref']));
  const links = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
  return `${JSON.stringify({ ...bom, components, dependencies: links }, null, 2)}\n`;
}

function sha256(file) {
  return createHash('sha256')
    .update(readFileSync(join(RELEASE, file)))
    .digest('hex');
}

/** Without install scripts and those of the project, which .npmrc turns off. */
async function npm(...args) {
  const { status, output } = await run('npm', [...args, '--loglevel=error'], { quiet: true });
  if (status !== 0) fail(`npm ${args[0]} failed:\n${output}`);
  return output;
}
