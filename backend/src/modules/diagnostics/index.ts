export { DiagnosticsDto } from './checks/diagnostics.dto.js';
export { DiagnosticsModule } from './diagnostics.module.js';
