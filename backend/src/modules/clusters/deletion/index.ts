export { ClusterRemoval, describeRemoval, type RemovedObjects } from './cluster-removal.js';
export { DeleteQueryDto } from './delete-query.dto.js';
export { DeletionService } from './deletion.service.js';
export { divide, jobObjectsOf } from './ownership.js';
