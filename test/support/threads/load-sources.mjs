import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const cache = fileURLToPath(new URL('../../../.cache/thread-sources/', import.meta.url));
mkdirSync(cache, { recursive: true });

// Lets threads of specs run TypeScript sources. Node strips types itself, but supports neither parameter properties nor
// the import of `./x.ts` as `./x.js`.
registerHooks({
  resolve(specifier, context, next) {
    if (/^\.{1,2}\/.*\.js$/.test(specifier)) {
      const source = new URL(`${specifier.slice(0, -3)}.ts`, context.parentURL);
      if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    return { format: 'module', source: transform(fileURLToPath(url)), shortCircuit: true };
  },
});

/** Transforms a file, which takes most of the start of a thread, or returns the result of an earlier thread. */
function transform(file) {
  const { mtimeMs, size } = statSync(file);
  const key = createHash('sha1').update(`${process.version}\n${file}\n${mtimeMs}\n${size}`).digest('hex');
  const cached = `${cache}${key}.js`;
  if (existsSync(cached)) return readFileSync(cached, 'utf8');
  const source = stripTypeScriptTypes(readFileSync(file, 'utf8'), { mode: 'transform' });
  const unfinished = `${cached}.${process.pid}-${threadId}`;
  writeFileSync(unfinished, source);
  renameSync(unfinished, cached);
  return source;
}
