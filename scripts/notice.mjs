import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { LICENSES, shippedPackages } from './licenses.mjs';
import { fail, root } from './process.mjs';

/** Writes NOTICE, or checks it with `--check`. */
await ensureBuilt(['server', 'frontend']);
const packages = [...shippedPackages()].sort(([one], [other]) => (one < other ? -1 : 1));
const text = `Slipway
Copyright 2026 The Slipway authors

Licensed under the Apache License, Version 2.0 (see LICENSE).

Slipway contains the packages below, each under its own license. The texts are in the built product:
${LICENSES.map((file) => `  ${file}\n`).join('')}
The pages have the fonts Inter and JetBrains Mono (OFL-1.1, in dist/frontend/*/browser/fonts). The npm package also
installs Node.js (MIT and others, https://github.com/nodejs/node/blob/main/LICENSE) and ws (MIT).

${packages.map(([name, license]) => `  ${name} (${license})\n`).join('')}`;
const file = join(root, 'NOTICE');
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text)
  fail('NOTICE does not have the packages of the build: npm run notice');
