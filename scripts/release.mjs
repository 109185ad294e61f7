import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { shippedPackages } from './licenses.mjs';
import { fail, root, run, say } from './process.mjs';

/** Folder of the files of a release. */
const RELEASE = join(root, 'dist', 'release');
/** Packages whose files the pages have. */
const FONTS = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'];
/**
 * Makes the files of a release: the npm package, its SBOM and checksums. `--skip-checks` packs without the checks of
 * `prepack`, for a gate that has run them.
 */
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version, dependencies, optionalDependencies } = manifest;
const skipsChecks = process.argv.includes('--skip-checks');
await ensureInstalled();
await ensureBuilt(['backend', 'frontend']);
rmSync(RELEASE, { recursive: true, force: true });
mkdirSync(RELEASE, { recursive: true });
// .npmrc turns scripts off, also those of the project itself.
await npm('pack', `--pack-destination=${RELEASE}`, `--ignore-scripts=${skipsChecks}`);
writeFileSync(join(RELEASE, `slipway-${version}.cdx.json`), await billOfMaterials());
const sums = readdirSync(RELEASE)
  .sort()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(RELEASE, name)))
        .digest('hex')}  ${name}\n`,
  );
writeFileSync(join(RELEASE, 'SHA256SUMS'), sums.join(''));
say(`made ${readdirSync(RELEASE).join(', ')} in ${RELEASE}`);

/**
 * The SBOM (CycloneDX) of what is shipped: npm's, of which only the packages in the bundles remain, and those that are
 * installed beside them.
 */
async function billOfMaterials() {
  const bom = JSON.parse(await npm('sbom', '--sbom-format=cyclonedx', '--sbom-type=application'));
  const beside = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...FONTS];
  const licenses = new Map([...beside.map((name) => [name, undefined]), ...shippedPackages()]);
  const nameOf = ({ group, name }) => (group ? `${group}/${name}` : name);
  const components = bom.components.filter((component) => licenses.has(nameOf(component)));
  for (const component of components) {
    const id = licenses.get(nameOf(component));
    if (id) component.licenses ??= [{ license: { id } }];
  }
  // npm names the project after its folder.
  bom.metadata.component.name = manifest.name;
  const kept = new Set([bom.metadata.component, ...components].map((component) => component['bom-ref']));
  const links = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
  return `${JSON.stringify({ ...bom, components, dependencies: links }, null, 2)}\n`;
}

async function npm(...args) {
  const { status, output } = await run('npm', [...args, '--loglevel=error'], { quiet: true });
  if (status !== 0) fail(`npm ${args[0]} failed:\n${output}`);
  return output;
}
