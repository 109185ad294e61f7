import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './process.mjs';

/** Licenses that allow to ship a package with software under the Apache License 2.0. */
const ALLOWED =
  /^\(?(MIT|Apache-2\.0|ISC|0BSD|BSD-[23]-Clause|BlueOak-1\.0\.0|MIT OR [\w.-]+|[\w.-]+ OR MIT)\)?$/;
/** Licenses that a package names only in its readme. */
const IN_README = { pause: 'MIT' };
/** The innermost package of a module. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const RULE = '-'.repeat(80);

/**
 * Writes the licenses of packages in the format of Angular's build, which does the same for the pages.
 * @param modules files of packages that are in a bundle; others are ignored.
 * @param copied names of packages whose files are shipped as they are.
 */
export function writeLicenses(file, modules, copied) {
  const folders = new Set(modules.flatMap((module) => PACKAGE.exec(module)?.[0] ?? []));
  for (const name of copied) folders.add(join(root, 'node_modules', name));
  const packages = [...folders].map(licenseOf).sort((one, other) => (one.name < other.name ? -1 : 1));
  const unclear = packages.filter(({ license }) => !ALLOWED.test(license));
  if (unclear.length > 0) {
    const named = unclear.map(({ name, license }) => `${name} (${license})`).join(', ');
    fail(
      `these licenses are not in the list of scripts/licenses.mjs: ${named}. Check them, then add them or replace the packages.`,
    );
  }
  const entries = packages.map(
    ({ name, license, text }) => `Package: ${name}\nLicense: "${license}"\n\n${text.trim()}\n`,
  );
  writeFileSync(file, `${RULE}\n${entries.join(`\n${RULE}\n`)}${RULE}\n`);
}

function licenseOf(folder) {
  const { name, ...manifest } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // Old packages have a list of them.
  const license = manifest.license ?? manifest.licenses?.[0]?.type ?? IN_README[name] ?? 'unknown';
  const pattern = name in IN_README ? /^readme/i : /^(licen[cs]e|copying|notice)/i;
  const files = readdirSync(folder).filter((file) => pattern.test(file));
  return { name, license, text: files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n') };
}

/** Files with the licenses of all packages that are in the built product. */
export const LICENSES = ['server', 'frontend/dashboard', 'frontend/log-board'].map(
  (folder) => `dist/${folder}/3rdpartylicenses.txt`,
);

/** Names and licenses of all packages in the built product. */
export function shippedPackages() {
  const found = LICENSES.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/^Package: (.+)\nLicense: "(.+)"$/gm),
  ]);
  return new Map(found.map(([, name, license]) => [name, license]));
}
