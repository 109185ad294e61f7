export { ClusterRemoval, describeRemoval, type RemovedObjects } from './cluster-removal.js';
export { DeletionService } from './deletion.service.js';
export { divide, jobObjectsOf } from './ownership.js';
