export { PodLogsModule } from './pod-logs.module.js';
export type { PodLogEvent } from './pod-logs.dto.js';
