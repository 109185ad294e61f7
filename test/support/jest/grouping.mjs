import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The end of the name of a spec that runs by itself, because it mocks a module for its whole process. */
export const ISOLATED = '.isolated.spec.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * A Jest transformer for specs that share a process (scripts/test-groups.mjs): it puts the body of each spec into
 * `describe(<path of the file>)`, so that hooks stay with their file and results can be traced back to it. Imports
 * stay at the top. Lines keep their numbers. The rest is done by the transformer named in the options.
 */
export default {
  async createTransformer({ transformer, options }) {
    const { default: inner } = await import(transformer);
    const compiler = await (inner.default ?? inner).createTransformer(options);
    return {
      canInstrument: compiler.canInstrument,
      getCacheKey: (text, path, jest) =>
        createHash('sha256')
          .update(compiler.getCacheKey?.(text, path, jest) ?? `${text}\0${path}`)
          .update(wrapSpec(text, path))
          .digest('hex'),
      process: (text, path, jest) => compiler.process(wrapSpec(text, path), path, jest),
      processAsync: (text, path, jest) =>
        compiler.processAsync
          ? compiler.processAsync(wrapSpec(text, path), path, jest)
          : compiler.process(wrapSpec(text, path), path, jest),
    };
  },
};

function wrapSpec(text, path) {
  if (!path.endsWith('.spec.ts') || path.includes('/.cache/') || path.endsWith(ISOLATED)) return text;
  const imports = [...text.matchAll(/^import\s[^;]*;$/gm)].at(-1);
  const end = imports ? imports.index + imports[0].length : 0;
  const title = JSON.stringify(relative(root, path));
  return `${text.slice(0, end)} describe(${title}, () => {${text.slice(end)}\n});\n`;
}
