export { findHostAccess, furtherHostAccess, refuseHostAccess, type HostAccess } from './host-access.js';
export { configChanges, labelChanges, type LabelChanges } from './config-changes.js';
export { hostPathProblem } from './host-paths.js';
export { UNIMPEDED, type Impediments } from './impediments.js';
export {
  imagesOf,
  ipv6Addresses,
  mountPoint,
  nodeImageTagOf,
  nodesOf,
  portsClash,
  publishedPorts,
  requiredImages,
  shapeOf,
  wantedPorts,
  type HostPort,
  type KindConfig,
  type WantedPort,
} from './kind-config.js';
export { kindConfigSchema } from './kind-config.schema.js';
export { kindConfigYaml } from './kind-config-process.js';
export {
  MAX_CONFIG_LENGTH,
  parseKindConfig,
  type ConfigPlace,
  type ConfigProblem,
} from './parse-kind-config.js';
export { rebuildKindConfig, type NodeFindings } from './rebuild-kind-config.js';
export { cloneKindConfig, renderKindConfig } from './render-kind-config.js';
export { reservedPathProblem } from './reserved-paths.js';
