export { RecreateClusterHandler, type RecreationInput } from './recreate-cluster.handler.js';
export { RecreationService } from './recreation.service.js';
