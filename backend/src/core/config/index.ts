export { readProject } from './project.js';
export { Configuration, ConfigurationError, readConfiguration } from './configuration.js';
export { readEnvironment, userFolder } from './environment.js';
export { userKubeconfigFiles } from './user-kubeconfig.js';
export { LOST_KEY, variables } from './variables.js';
export { fileVariableOf, secretFileExample } from './secret-files.js';
export { chosenPassword, type DemoFailure, type PortRange } from './variable-parsers.js';
