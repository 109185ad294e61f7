import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { compileFunction } from 'node:vm';
import JestRuntime from 'jest-runtime';

/**
 * Loads the product and packages with Node, once per worker, in place of once per spec file.
 */
export default class SharedRuntime extends JestRuntime {
  constructor(...args) {
    super(...args);
    const [{ rootDir }] = args;
    this.product = `${rootDir}${sep}dist${sep}`;
    const { executor } = this;
    executor.compile = (source, filename) => compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModuleOrMock(from, name) {
    if (name.startsWith('@jest/') || this._resolution.isCoreModule(name)) return super.requireModuleOrMock(from, name);
    const path = this._resolution.resolveCjs(from, name);
    const own = path.startsWith(this.product) ? path : path.includes('node_modules') ? name : undefined;
    return own ? createRequire(from)(own) : super.requireModuleOrMock(from, name);
  }

  /** Jest's own leads modules of Node into the registry of a spec. */
  installGetBuiltinModule() {}
}
