export { ContextAccess, pluginRun, type PluginRun } from './context-access.js';
export { identityOf, readContext, type ContextEntry } from './context-entry.js';
export { distributionOf } from './distribution.js';
export { KubeconfigFiles, type UserContext, type UserContexts } from './kubeconfig-files.js';
