export { LogIntake } from './intake/log-intake.js';
export { LogsModule } from './logs.module.js';
export { PodLogsModule } from './pods/pod-logs.module.js';
