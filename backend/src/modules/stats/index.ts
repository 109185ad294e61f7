export { StatsDto } from './stats.dto.js';
export { StatsModule } from './stats.module.js';
export { StatsService } from './stats.service.js';
