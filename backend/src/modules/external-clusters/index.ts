export { ChangesGuard, externalError } from './changes.guard.js';
export { ExternalClustersModule } from './external-clusters.module.js';
export { ExternalClustersService } from './external-clusters.service.js';
