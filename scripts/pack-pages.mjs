import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';

/** Scripts that several pages share and that are smaller than this are put into one file. */
const SMALL_BYTES = 8_000;
/** A script that is larger than this is loaded only by what needs it: the editor and the terminal. */
const LARGE_BYTES = 80_000;
/** They stay whole, since pages load them by address. */
const ALONE = /^(worker|polyfills)-/;
/** The suffix that Angular's build adds to a name. */
const HASH = /-[\w-]{8}$/;

/**
 * Bundles the scripts of an Angular build again: 62 files instead of 155, of which a page needs about 7. Each costs a
 * request. With what Angular 22.2 does itself, a first page takes 1.46 times as long (quartiles 1.31 to 1.51) and a first
 * table 1.43 times (1.28 to 1.48): 15 pairs in a cold browser on two cores, medians of 708 and 948 ms with this.
 * A script that imports a large one is not among those that are shared: with it, each page would load the editor.
 * @param folder with the `browser` pages of a build, and its `browser-stats.json`.
 */
export async function packPages(folder) {
  const pages = join(folder, 'browser');
  const { outputs } = JSON.parse(readFileSync(join(folder, 'browser-stats.json'), 'utf8'));
  const scripts = readdirSync(pages).filter(
    (name) => name in outputs && name.endsWith('.js') && !ALONE.test(name),
  );
  const main = scripts.find((name) => name.startsWith('main-'));
  const isLarge = largeScripts(outputs, main);

  const document = join(pages, 'index.html');
  const page = readFileSync(document, 'utf8');
  if (!page.includes(`src="${main}"`)) throw new Error(`${document} is not as Angular writes it`);

  const bundle = await rolldown({ input: { main: join(pages, main) }, preserveEntrySignatures: false });
  const { output } = await bundle.generate({
    // Angular's build has minified them already.
    minify: { mangle: false, compress: false },
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: ({ name, facadeModuleId }) => {
      const source = facadeModuleId && outputs[basename(facadeModuleId)]?.entryPoint;
      return `${source ? basename(source, '.ts') : name.replace(HASH, '')}-[hash].js`;
    },
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

  const withoutLinks = page.replaceAll(/<link rel="modulepreload"[^<>]*>/g, '');
  writeFileSync(document, withoutLinks.replace(`src="${main}"`, `src="${first}"`));
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
