import { constants, Script } from 'node:vm';

/**
 * Imports a development tool with Node's own loader: Jest runs CommonJS, and some tools are ES modules that load others
 * while they run. Do not pass options for writing files to it: the objects of a spec have other prototypes than those of
 * the tool, which may ignore them.
 */
export const importTool = new Script('(name) => import(name)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}).runInThisContext() as <T>(name: string) => Promise<T>;
