export { ContextAccess, pluginRun } from './context-access.js';
export { identityOf, readContext, runsPlugin, type ContextEntry } from './context-entry.js';
export { distributionOf } from './distribution.js';
export {
  contextsOfText,
  KubeconfigFiles,
  textOfContext,
  type UserContext,
  type UserContexts,
} from './kubeconfig-files.js';
