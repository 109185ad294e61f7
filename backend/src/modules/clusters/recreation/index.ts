export { Recreation, type RecreationInput } from './recreation.js';
export { RecreationService } from './recreation.service.js';
