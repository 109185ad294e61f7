import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';

/** What several pages share and is smaller than this comes in one file for all of them. */
const SMALL_BYTES = 8_000;
/** A script that is larger than this is loaded only by what needs it: the editor and the terminal. */
const LARGE_BYTES = 80_000;
/**
 * Tells Chromium to compile all functions in a background thread while a script loads, since pages need most of them
 * at once: long tasks on the page of a cluster take 226 instead of 362 ms in a cold browser on two cores.
 * https://v8.dev/blog/explicit-compile-hints
 */
const COMPILE_ALL = '//# allFunctionsCalledOnLoad\n';
const SOURCES = /^frontend\/src\/|\.ts$/g;
/** Workers stay whole, since a page loads them by address. */
const WORKER = /^worker-/;
/** What Angular's page loads before all other scripts: one line, which names the language. */
const POLYFILLS = /<script src="(polyfills-[^"]+)"[^>]*><\/script>/;
/** What Angular's build puts behind a name. */
const HASH = /-[\w-]{8}$/;

/**
 * Bundles the scripts of an Angular build again: 62 files instead of 155, of which a page needs about 7. Each costs a
 * request. With what Angular 22.2 does itself, the first page takes 1.38 and a first table 1.74 times as long (medians of
 * 15 pairs in a cold browser on two busy cores: 0.91 and 1.26 s, 1.09 and 1.90 s). A script that imports a large one is
 * not among those that are shared: with it, each page would load the editor. Scripts of workers stay as they are.
 * Beside the pages it leaves `parts.json`: for each source file that is loaded only when it is needed, by its path
 * below `frontend/src`, the scripts that it needs on top of the first ones. The server names them to a browser in
 * the page that will need them: without, the first page takes 1.18 times as long (median of 5 pairs).
 * @param folder with the `browser` pages of a build, and its `browser-stats.json`.
 */
export async function packPages(folder) {
  const pages = join(folder, 'browser');
  const { outputs } = JSON.parse(readFileSync(join(folder, 'browser-stats.json'), 'utf8'));
  const sourceOf = (id) => (id ? outputs[basename(id)]?.entryPoint?.replaceAll(SOURCES, '') : undefined);
  const scripts = readdirSync(pages).filter(
    (name) => name in outputs && name.endsWith('.js') && !WORKER.test(name),
  );
  const main = scripts.find((name) => name.startsWith('main-'));
  const isLarge = largeScripts(outputs, main);

  const document = join(pages, 'index.html');
  const page = readFileSync(document, 'utf8');
  const polyfills = POLYFILLS.exec(page)?.[1];
  if (!polyfills || !page.includes(`src="${main}"`))
    throw new Error(`${document} is not as Angular writes it`);
  const before = readFileSync(join(pages, polyfills), 'utf8');

  const bundle = await rolldown({ input: { main: join(pages, main) }, preserveEntrySignatures: false });
  const { output } = await bundle.generate({
    // Angular's build has minified them already.
    minify: { mangle: false, compress: false },
    postBanner: ({ name }) => COMPILE_ALL + (name === 'first' ? before : ''),
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: ({ name, facadeModuleId }) =>
      `${basename(sourceOf(facadeModuleId) ?? name.replace(HASH, ''))}-[hash].js`,
    codeSplitting: {
      groups: [
        { name: 'first', tags: ['$initial'], priority: 2 },
        {
          name: 'shared',
          minShareCount: 2,
          maxModuleSize: SMALL_BYTES,
          test: (id) => !isLarge(basename(id)),
          priority: 1,
        },
      ],
    },
  });
  await bundle.close();
  for (const name of scripts) rmSync(join(pages, name));
  // The entry itself only imports the first script.
  const entry = output.find(({ isEntry }) => isEntry);
  const [first] = entry.imports;
  if (!first) throw new Error(`${main} has no first script to import`);
  const packed = output.filter((chunk) => chunk !== entry);
  for (const { fileName, code } of packed) writeFileSync(join(pages, fileName), code);

  const chunks = new Map(packed.map((chunk) => [chunk.fileName, chunk]));
  const importsOf = (name) => chunks.get(name)?.imports ?? [];
  const parts = packed.flatMap(({ fileName, facadeModuleId }) => {
    const source = sourceOf(facadeModuleId);
    return source ? [[source, [...neededBy(fileName, importsOf)].filter((name) => name !== first)]] : [];
  });
  writeFileSync(join(folder, 'parts.json'), JSON.stringify(Object.fromEntries(parts)));
  const rewritten = page
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
    .replace(POLYFILLS, '')
    .replace(`src="${main}"`, `src="${first}"`);
  writeFileSync(document, rewritten);
}

/** @returns whether a script, or one that it imports, is large and is not among the first. */
function largeScripts(outputs, main) {
  const importsOf = (name) =>
    (outputs[name]?.imports ?? [])
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => basename(path));
  const first = neededBy(main, importsOf);
  return (name) =>
    [...neededBy(name, importsOf)].some(
      (needed) => !first.has(needed) && outputs[needed]?.bytes > LARGE_BYTES,
    );
}

/** A script and all that it imports before it runs. */
function neededBy(name, importsOf, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of importsOf(name)) neededBy(imported, importsOf, found);
  return found;
}
