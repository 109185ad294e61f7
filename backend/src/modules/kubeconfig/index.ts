export { KubeconfigModule } from './kubeconfig.module.js';
export { KubeconfigService } from './kubeconfig.service.js';
