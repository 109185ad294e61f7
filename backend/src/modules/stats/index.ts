export { type ClusterHistoryDto, StatsDto } from './stats.dto.js';
export { StatsModule } from './stats.module.js';
export { StatsService } from './stats.service.js';
export { HOUR, type UsageTrend, UsageTrends } from './usage-trends.js';
