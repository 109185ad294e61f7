import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { compileFunction } from 'node:vm';
import JestRuntime from 'jest-runtime';

/**
 * Loads the built product and packages with Node, once per worker. Jest's own runtime loads them again for each spec file:
 * 2.5 s of CPU for the product. Specs, test support and sources remain modules of one file.
 */
export default class SharedRuntime extends JestRuntime {
  constructor(config, ...rest) {
    super(config, ...rest);
    this.product = join(config.rootDir, 'dist') + sep;
    const { executor } = this;
    // In the context of Node, in place of one of Jest.
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModuleOrMock(from, name) {
    const shared = this.shared(from, name);
    return shared ? createRequire(from)(shared) : super.requireModuleOrMock(from, name);
  }

  /** @returns the path or name that Node loads; undefined if Jest loads it. */
  shared(from, name) {
    if (name.startsWith('@jest/') || this._resolution.isCoreModule(name)) return undefined;
    const path = this._resolution.resolveCjs(from, name);
    if (path.startsWith(this.product)) return path;
    return path.includes(`${sep}node_modules${sep}`) ? name : undefined;
  }

  /** Jest would lead every user of `process.getBuiltinModule` in this process to the modules of one file. */
  installGetBuiltinModule() {}
}
