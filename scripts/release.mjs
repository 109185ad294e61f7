import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { fail, root, run, say } from './process.mjs';

/** Folder of the files of a release. */
const RELEASE = join(root, 'dist', 'release');
/** Workspaces whose packages are in the bundles. */
const SHIPPED = ['backend', 'frontend'];

/**
 * Makes the files of a release: the npm package, its SBOM and checksums. `--skip-checks` packs without the checks of
 * `prepack`, for a gate that has run them.
 */
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version } = manifest;
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
 * The SBOM of what is shipped, of which npm makes one (CycloneDX) for a project without the tools and the build:
 * with `--omit=dev`, it leaves out everything that is a tool of any package.
 */
async function billOfMaterials() {
  const scratch = mkdtempSync(join(tmpdir(), 'slipway-sbom-'));
  // npm calls the component as the folder is called.
  const project = join(scratch, 'slipway');
  try {
    for (const workspace of SHIPPED) {
      mkdirSync(join(project, workspace), { recursive: true });
      cpSync(join(root, workspace, 'package.json'), join(project, workspace, 'package.json'));
    }
    const { devDependencies, ...shipped } = manifest;
    writeFileSync(join(project, 'package.json'), JSON.stringify({ ...shipped, workspaces: SHIPPED }));
    cpSync(join(root, 'package-lock.json'), join(project, 'package-lock.json'));
    await npm('install', `--prefix=${project}`, '--package-lock-only', '--no-audit', '--no-fund');
    const format = ['--sbom-format=cyclonedx', '--sbom-type=application'];
    return await npm('sbom', `--prefix=${project}`, '--package-lock-only', ...format);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function npm(...args) {
  const { status, output } = await run('npm', [...args, '--loglevel=error'], { quiet: true });
  if (status !== 0) fail(`npm ${args[0]} failed:\n${output}`);
  return output;
}
