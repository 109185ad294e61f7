export { HealthDto } from './health.dto.js';
export { HealthModule } from './health.module.js';
export { PublicHealthDto } from './public-health.dto.js';
export { HEALTH_IS_PUBLIC, Readiness } from './readiness.js';
