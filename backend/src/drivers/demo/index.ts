export { DemoGateway } from './demo-gateway.js';
export { DemoProvisioner } from './demo-provisioner.js';
export { DemoRuntimeDriver } from './demo-runtime-driver.js';
export { DemoWorld } from './demo-world.js';
