import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from './bundler.mjs';

/** What several pages share and is smaller than this comes in one file for all of them. */
const SMALL_BYTES = 16_000;
const SOURCES = /^frontend\/src\/|\.ts$/g;
/** Scripts that stay whole: workers, which a page loads by address, and polyfills, which the page itself loads first. */
const WHOLE = /^(worker|polyfills)-/;
/** What Angular's build puts behind a name. */
const HASH = /-[\w-]{8}$/;

/**
 * Bundles the scripts of an Angular build again. Angular splits them by the pages that use them: sixty files for a page,
 * most of less than a kilobyte, and each costs a request. Here a page is what every page begins with, what several
 * share, and its own: 6 scripts instead of 62, with which the first page was usable after 0.80 s instead of 1.15 s, with
 * an empty cache in Chromium on two cores.
 *
 * Scripts of workers stay as they are.
 *
 * Beside the pages it leaves `parts.json`: for each source file that is loaded only when it is needed, by its path
 * below `frontend/src`, the scripts that it needs on top of the first ones. The server names them to a browser in
 * the page that will need them, so that they come with the first ones and not after those have run.
 *
 * @param folder with the `browser` pages of a build, and its `browser-stats.json`.
 */
export async function packPages(folder) {
  const pages = join(folder, 'browser');
  const { outputs } = JSON.parse(readFileSync(join(folder, 'browser-stats.json'), 'utf8'));
  const sourceOf = (id) => (id ? outputs[basename(id)]?.entryPoint?.replaceAll(SOURCES, '') : undefined);
  const scripts = readdirSync(pages).filter(
    (name) => name in outputs && name.endsWith('.js') && !WHOLE.test(name),
  );
  const main = scripts.find((name) => name.startsWith('main-'));

  const bundle = await rolldown({ input: { main: join(pages, main) }, preserveEntrySignatures: false });
  const { output } = await bundle.generate({
    // Angular's build has minified them already.
    minify: { mangle: false, compress: false },
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: ({ name, facadeModuleId }) =>
      `${basename(sourceOf(facadeModuleId) ?? name.replace(HASH, ''))}-[hash].js`,
    codeSplitting: {
      groups: [
        { name: 'first', tags: ['$initial'], priority: 2 },
        { name: 'shared', minShareCount: 2, maxModuleSize: SMALL_BYTES, priority: 1 },
      ],
    },
  });
  await bundle.close();
  for (const name of scripts) rmSync(join(pages, name));
  for (const { fileName, code } of output) writeFileSync(join(pages, fileName), code);

  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const entry = output.find(({ isEntry }) => isEntry);
  const first = neededBy(entry, chunks);
  const parts = output.flatMap((chunk) => {
    const source = chunk === entry ? undefined : sourceOf(chunk.facadeModuleId);
    return source ? [[source, [...neededBy(chunk, chunks)].filter((name) => !first.has(name))]] : [];
  });
  writeFileSync(join(folder, 'parts.json'), JSON.stringify(Object.fromEntries(parts)));
  rewritePage(join(pages, 'index.html'), { main, entry: entry.fileName, first });
}

/** A script and all that it imports before it runs. */
function neededBy(chunk, chunks, found = new Set()) {
  if (!chunk || found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  for (const name of chunk.imports) neededBy(chunks.get(name), chunks, found);
  return found;
}

function rewritePage(path, { main, entry, first }) {
  const imported = [...first].filter((name) => name !== entry);
  const hints = imported
    .map((name) => `<link rel="modulepreload" href="${name}" nonce="__NONCE__">`)
    .join('');
  const page = readFileSync(path, 'utf8')
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
    .replace(`src="${main}"`, `src="${entry}"`)
    .replace('<link rel="stylesheet"', `${hints}<link rel="stylesheet"`);
  if (!page.includes(`src="${entry}"`) || !page.includes(hints))
    throw new Error(`${path} is not as Angular writes it`);
  writeFileSync(path, page);
}
