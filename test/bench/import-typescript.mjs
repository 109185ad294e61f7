import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Lets a bench import the TypeScript of the tests, whose imports name the compiled files. */
export function importTypescript() {
  registerHooks({
    resolve(specifier, context, next) {
      const isOwn = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
      const source = isOwn ? new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL) : undefined;
      return next(source && existsSync(source) ? source.href : specifier, context);
    },
    load(url, context, next) {
      if (!url.endsWith('.ts')) return next(url, context);
      const { outputText: source } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), {
        compilerOptions: {
          module: ts.ModuleKind.ESNext,
          target: ts.ScriptTarget.ES2022,
          experimentalDecorators: true,
        },
      });
      return { format: 'module', source, shortCircuit: true };
    },
  });
}
