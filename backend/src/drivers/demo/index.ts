export { DemoGateway } from './demo-gateway.js';
export { DemoPackageManager } from './package-manager/demo-package-manager.js';
export { DemoProvisioner } from './demo-provisioner.js';
export { DemoRuntimeDriver } from './demo-runtime-driver.js';
export { DemoWorld } from './demo-world.js';
