export { NodeLogsService } from './node-logs.service.js';
