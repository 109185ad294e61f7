export { openVictoriaLogsStore } from './victoria-logs-store.js';
