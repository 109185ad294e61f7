export { PodLogsModule } from './pod-logs.module.js';
export type { PodContainersDto, PodLogEvent } from './pod-logs.dto.js';
