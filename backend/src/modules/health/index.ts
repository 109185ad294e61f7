export { HealthDto } from './health.dto.js';
export { HealthModule } from './health.module.js';
