export { StatsDto } from './stats.dto.js';
export { StatsModule } from './stats.module.js';
export { StatsService } from './stats.service.js';
export { type UsageTrend, UsageTrends } from './usage-trends.js';
