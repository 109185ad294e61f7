export { AlertEngine } from './alert-engine.js';
export { AlertFiringDto } from './alert.dto.js';
export { LogAlertsModule } from './log-alerts.module.js';
