export { HelmPackageManager } from './helm-package-manager.js';
export { PackageManager } from './package-manager.js';
export type { PackageManagerStatus } from './package-manager.js';
