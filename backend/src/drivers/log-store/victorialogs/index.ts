export { openVictoriaLogsStore, type VictoriaLogsOptions } from './victoria-logs-store.js';
