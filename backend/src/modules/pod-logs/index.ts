export { PodLogsModule } from './pod-logs.module.js';
